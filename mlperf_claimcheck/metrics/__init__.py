"""Quantities: printed numbers with precision, published values as intervals, units and derived metrics."""
