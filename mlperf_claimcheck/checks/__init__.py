"""Deciding assertions against the published rows: one module for each kind."""
