"""What MLCommons published: one normalised table, its readers, the rounds, the cache and the corrections."""
