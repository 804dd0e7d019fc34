"""A folder in which scripts of the documentation run as CI runs them, with the program on the path and no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Installing is all that an example asks the network for; here it only is written down.
PYTHON = """#!/bin/sh
if [ "$1 $2 $3" = "-m pip install" ]; then shift 3; echo "$@" >> installed.txt; exit 0; fi
exec "{python}" "$@"
"""
PROGRAM = """#!/bin/sh
exec "{python}" -m mlperf_claimcheck "$@"
"""


class Machine:
    """`folder/work` holds a copy of claims/ and is where scripts run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        shutil.copytree(ROOT / "claims", self.folder / "claims")
        programs = folder / "bin"
        programs.mkdir()
        for name, text in (("python", PYTHON), ("mlperf-claimcheck", PROGRAM)):
            (programs / name).write_text(text.replace("{python}", sys.executable))
            (programs / name).chmod(0o755)
        self.env = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "PYTHONPATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "RUNNER_TEMP": str(folder),
            "MLPERF_CLAIMCHECK_CACHE_DIR": str(folder / "cache"),
            # Nothing is asked of it: a request would fail.
            "MLPERF_CLAIMCHECK_RESULTS_URL": "http://127.0.0.1:9",
        }

    def run(self, script: str, **env: str) -> subprocess.CompletedProcess[str]:
        """What the script does; its steps end it when they fail, as in CI."""
        return subprocess.run(
            ["bash", "-eu", "-o", "pipefail", "-c", script],
            cwd=self.folder,
            env=self.env | env,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def claims(self, text: str) -> None:
        """Put a file of this text in place of claims/."""
        shutil.rmtree(self.folder / "claims")
        (self.folder / "claims").mkdir()
        (self.folder / "claims" / "a.yaml").write_text(text)
