"""Check public claims about MLPerf results against the results that MLCommons published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from mlperf_claimcheck.api import check as check
    from mlperf_claimcheck.api import check_files as check_files
    from mlperf_claimcheck.api import load_results as load_results

__all__ = ["__version__", "check", "check_files", "load_results"]


def __getattr__(name: str) -> Any:
    # Late, so that `--help` and `import mlperf_claimcheck` stay instant.
    if name in ("check", "check_files", "load_results"):
        from mlperf_claimcheck import api

        return getattr(api, name)
    raise AttributeError(name)
