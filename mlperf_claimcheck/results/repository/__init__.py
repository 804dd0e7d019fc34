"""A results repository as MLCommons publishes it: runs, their logs and system descriptions."""
