"""Downloads the results of rounds without a summary: Training and Endpoints.

The repository's archive streams by; what counts of it is kept in one file of the cache (see `archive` and `pack`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mlperf_claimcheck.results.archive import ArchiveError, Kept, keep_results
from mlperf_claimcheck.results.cache import held_round, locked, store
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from mlperf_claimcheck.results.fetch import (
    ENVIRONMENT,
    Fetched,
    Progress,
    TryAgain,
    client,
    redirected,
    retrying,
    today,
)
from mlperf_claimcheck.results.rounds import repository

if TYPE_CHECKING:
    import httpx

UPSTREAM = "https://github.com/mlcommons"
DEADLINE = 2 * 3600.0
"""Longest time that an archive may take, in seconds."""
LIMIT = 16 * 1024**3
"""Bytes of a packed archive; the run logs of a Training round come to some gigabytes."""
_HOPS = 5
_UNCHANGED = "what was held before is unchanged"


def archive_url(round_id: str) -> str:
    """Where the archive of a round's repository is: on GitHub, or below the mirror that is set."""
    base = (os.environ.get(ENVIRONMENT) or UPSTREAM).rstrip("/")
    return f"{base}/{repository(round_id)}/archive/refs/heads/main.tar.gz"


def fetch_archive(round_id: str, *, refresh: bool = False, progress: Progress | None = None) -> Fetched:
    """Gets a round of Training or Endpoints into the cache; what was held stays unless a whole archive replaces it.

    Raises:
        ResultsUnavailable: It could not be obtained, or holds no results of the round.
    """
    from mlperf_claimcheck.results.explicit import read_pack
    from mlperf_claimcheck.results.pack import write_pack

    url = archive_url(round_id)
    with locked(round_id):
        try:
            held = held_round(round_id)
            if held is not None:
                held.content()
        except ResultsError:
            held = None  # Damaged: it is fetched anew, whole.
        if held is not None and not refresh:
            return Fetched(held, "held")
        etag = held.etag if held is not None and held.url == url else ""
        with client() as shared:
            got = retrying(lambda: _stream(url, shared, etag, round_id, progress), url)
        if got is None:
            assert held is not None
            return Fetched(held, "unchanged")
        kept, new_etag = got
        data = write_pack(kept.files)
        try:
            read = read_pack(data, url, round_id)
        except ResultsError as error:
            raise ResultsUnavailable(f"{error} ({_UNCHANGED})") from error
        rows, source = read.found[round_id]
        same = held is not None and held.sha256 == source.sha256
        new = store(round_id, data, url=url, etag=new_etag, retrieved=today())
        outcome = "new" if held is None else "unchanged" if same else "replaced"
        previous = held.sha256 if held is not None and not same else None
        return Fetched(new, outcome, len(rows), previous, (*kept.warnings, *read.warnings))


def _stream(
    url: str, session: httpx.Client, etag: str, round_id: str, progress: Progress | None, hops: int = 0
) -> tuple[Kept, str] | None:
    """What is kept of an archive, and its ETag; None where it is unchanged."""
    import httpx

    headers = {"Accept-Encoding": "identity"} | ({"If-None-Match": etag} if etag else {})
    end = time.monotonic() + DEADLINE

    def chunks(answer: httpx.Response, expected: int | None) -> Iterator[bytes]:
        # As they are sent: they are unpacked under limits of their own.
        for chunk in answer.iter_raw():
            if progress is not None:
                progress(url, answer.num_bytes_downloaded, expected)
            if time.monotonic() > end:
                raise ResultsUnavailable(f"{url}: took longer than {DEADLINE / 60:.0f} minutes; try again later")
            if answer.num_bytes_downloaded > LIMIT:
                raise _too_large(url)
            yield chunk

    try:
        with session.stream("GET", url, headers=headers) as answer:
            if answer.has_redirect_location:
                if hops == _HOPS:
                    raise ResultsUnavailable(f"{url}: redirects more than {_HOPS} times")
                target = redirected(url, answer.headers["location"])
                return _stream(target, session, etag, round_id, progress, hops + 1)
            if answer.status_code >= 500 or answer.status_code == 429:
                raise TryAgain(f"the server answered {answer.status_code}")
            if answer.status_code == 304 and etag:
                return None
            if answer.status_code == 404:
                raise ResultsUnavailable(
                    f"{round_id}: {url} does not exist (404); check the round, set {ENVIRONMENT} to a mirror, or name "
                    "a copy of the repository with --results"
                )
            if answer.status_code != 200:
                raise ResultsUnavailable(f"{url}: the server answered {answer.status_code}, 200 was expected")
            if "html" in answer.headers.get("content-type", "").lower():
                raise ResultsUnavailable(f"{url}: is a web page, not an archive")
            declared = answer.headers.get("content-length", "")
            expected = int(declared) if declared.isdecimal() and len(declared) < 20 else None
            if expected is not None and expected > LIMIT:
                raise _too_large(url)
            kept = keep_results(chunks(answer, expected), round_id.partition("-")[0])
            return kept, answer.headers.get("etag", "")
    except ArchiveError as error:
        raise ResultsUnavailable(f"{url}: {error} ({_UNCHANGED})") from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.DecodingError) as error:
        raise ResultsUnavailable(f"{url[:200]}: could not be obtained ({error})") from error
    except httpx.TransportError as error:
        raise TryAgain(str(error) or type(error).__name__) from error


def _too_large(url: str) -> ResultsUnavailable:
    return ResultsUnavailable(f"{url}: is larger than {LIMIT // 1024**3} GB")
