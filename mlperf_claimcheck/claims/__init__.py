"""What was said: claim files, the reader of a claim's text, and the assertions it yields."""
