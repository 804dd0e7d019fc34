"""Faults of the results themselves."""

from __future__ import annotations


class ResultsError(Exception):
    """Results that are damaged or could not be read. The message names the file, the fault and the remedy."""


class ResultsUnavailable(ResultsError):  # noqa: N818 - the field's own word for it
    """Results that could not be obtained; what was held stays usable."""
