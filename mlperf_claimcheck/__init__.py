"""Check public claims about MLPerf results against the results that MLCommons published."""

from __future__ import annotations

__version__ = "0.1.0"
