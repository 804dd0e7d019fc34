"""A round's published summary as it stood at one commit of its results repository."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable, RoundError
from mlperf_claimcheck.results.readers import ReadFile, parse_results, round_in_name
from mlperf_claimcheck.results.readers.read import LIMIT
from mlperf_claimcheck.results.rounds import candidate_files, parse_round_id, repository

_REFERENCE = re.compile(r"[0-9A-Za-z][\w.-]{0,199}(?:/[\w][\w.-]{0,99}){0,5}", re.ASCII)
_NAMES = ("summary.csv", "summary.json", "summary_results.json")
_SECONDS = 60


def read_commit(place: str, reference: str) -> ReadFile:
    """The summary at a commit, branch or tag.

    Args:
        place: A clone's folder, which git is asked about, or a round (`v6.1`), whose upstream repository or mirror is.
        reference: The commit's hash, or a branch or tag.

    Raises:
        ResultsUnavailable: There is no such commit, or it has no summary, or it could not be obtained.
        ResultsError: The summary is damaged, or `place` or `reference` is none.
    """
    if _REFERENCE.fullmatch(reference) is None or ".." in reference:
        raise ResultsError(f"{reference[:80]!r} is no commit, branch or tag")
    if Path(place).is_dir():
        return _of_clone(Path(place), reference)
    try:
        round_id = parse_round_id(place)
        name = repository(round_id)
    except RoundError as error:
        raise ResultsError(f"{place}: is neither a folder nor a round ({error})") from error
    return _upstream(round_id, name, reference)


def _upstream(round_id: str, name: str, reference: str) -> ReadFile:
    from mlperf_claimcheck.results.fetch import base_url, client, download, parse_download

    address = f"{base_url()}/{name}/{reference}"
    with client() as session:
        for file in candidate_files(round_id):
            answer = download(f"{address}/{file}", session)
            if answer.status == 200:
                return parse_download(answer, f"{address}/{file}", round_id)
    raise ResultsUnavailable(
        f"{address}/: has none of {', '.join(candidate_files(round_id))} (404); check the round and the commit"
    )


def _of_clone(folder: Path, reference: str) -> ReadFile:
    for name in _NAMES:
        data = _blob(folder, f"{reference}:{name}")
        if data is not None:
            return parse_results(data, f"{folder}@{reference}:{name}", round_id=round_in_name(folder.resolve().name))
    raise ResultsUnavailable(
        f"{folder}: git knows no commit {reference} that has {' or '.join(_NAMES)} at its top; check both, or "
        "fetch the commit into the clone first"
    )


def _blob(folder: Path, name: str) -> bytes | None:
    """A file of a commit; None if there is none. Only objects that the clone holds are read; nothing of it is run."""
    # A clone that somebody else made may be set up to fetch what it lacks, by a program of its choice.
    environment = os.environ | {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    command = ["git", "--no-pager", "-C", str(folder), "cat-file"]
    options = {"env": environment, "stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": _SECONDS}
    try:
        asked = subprocess.run([*command, "-s", name], stdout=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload]
        if asked.returncode != 0 or not asked.stdout.strip().isdigit():
            return None
        if int(asked.stdout) > LIMIT:
            raise ResultsError(f"{folder}: {name}: is larger than {LIMIT // 1024**2} MB, too large for a summary")
        read = subprocess.run([*command, "blob", name], stdout=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload]
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ResultsUnavailable(f"{folder}: git could not be asked ({error}); is it installed?") from error
    return bytes(read.stdout) if read.returncode == 0 else None
