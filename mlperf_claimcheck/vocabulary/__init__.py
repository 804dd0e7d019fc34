"""The field's names and spellings, as data files, and resolving a spelling to a name."""
