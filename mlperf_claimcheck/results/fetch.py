"""Downloads published results into the cache: summaries here, archives of repositories in `fetch_archive`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from mlperf_claimcheck.results.cache import HeldRound, held_round, locked, store
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable, ServerUnreachable
from mlperf_claimcheck.results.readers import ReadFile, parse_results
from mlperf_claimcheck.results.readers.read import LIMIT
from mlperf_claimcheck.results.rounds import candidate_files, has_summary, parse_round_id, repository

if TYPE_CHECKING:
    import httpx

ENVIRONMENT = "MLPERF_CLAIMCHECK_RESULTS_URL"
UPSTREAM = "https://raw.githubusercontent.com/mlcommons"
ATTEMPTS = 3
_TIMEOUT = 30.0
"""Longest wait for the next piece of an answer, in seconds."""
DEADLINE = 300.0
"""Longest time that one answer may take as a whole, in seconds."""
_HOPS = 5
_UPSTREAM_HOSTS = ("github.com", "githubusercontent.com")

T = TypeVar("T")
Progress = Callable[[str, int, int | None], None]
"""Is told the address, how many bytes have come, and how many are expected (None: the server does not say)."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of a round that was asked for."""

    held: HeldRound
    outcome: str
    """`held` (not asked for again), `unchanged` (revalidated), `new` or `replaced`."""
    rows: int | None = None
    previous: str | None = None
    """SHA-256 of the file that was held before, where another one took its place."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Download:
    """An answer of the server."""

    status: int
    """200, 304 or 404."""
    data: bytes = b""
    etag: str = ""
    measured: bool = True
    """Whether the server said how long the answer is, so that a cut one is noticed."""


class TryAgain(Exception):
    """A failure that may pass."""


def base_url() -> str:
    """`MLPERF_CLAIMCHECK_RESULTS_URL` if set, else GitHub's address of MLCommons' files; no slash at the end."""
    return (os.environ.get(ENVIRONMENT) or UPSTREAM).rstrip("/")


def fetch_round(text: str, *, refresh: bool = False, progress: Progress | None = None) -> Fetched:
    """Gets a round into the cache. What the cache held stays unless a complete file that parses replaces it.

    Args:
        text: The round (`v6.1`, `inference-v6.1`).
        refresh: Ask again for a round that is held.
        progress: Is told what has come so far.

    Raises:
        RoundError: It is no round.
        ResultsUnavailable: It could not be obtained.
    """
    round_id = parse_round_id(text)
    if not has_summary(round_id):
        from mlperf_claimcheck.results.fetch_archive import fetch_archive

        return fetch_archive(round_id, refresh=refresh, progress=progress)
    address = f"{base_url()}/{repository(round_id)}/main"
    with locked(round_id):
        try:
            held = held_round(round_id)
            if held is not None:
                held.content()
        except ResultsError:
            held = None  # Damaged: it is fetched anew, whole.
        if held is not None and not refresh:
            return Fetched(held, "held")
        with client() as shared:
            for name in candidate_files(round_id):
                url = f"{address}/{name}"
                etag = held.etag if held is not None and held.url == url else ""
                answer = download(url, shared, etag=etag, progress=progress)
                if answer.status == 304 and held is not None:
                    return Fetched(held, "unchanged")
                if answer.status == 200:
                    read = parse_download(answer, url, round_id)
                    same = held is not None and held.sha256 == read.sha256
                    new = store(round_id, answer.data, url=url, etag=answer.etag, retrieved=today())
                    outcome = "new" if held is None else "unchanged" if same else "replaced"
                    previous = held.sha256 if held is not None and not same else None
                    return Fetched(new, outcome, len(read.rows), previous, read.warnings)
    raise ResultsUnavailable(
        f"{round_id}: {address}/ has none of {', '.join(candidate_files(round_id))} (404); check the round, or set "
        f"{ENVIRONMENT} to a mirror"
    )


def parse_download(answer: Download, url: str, round_id: str | None) -> ReadFile:
    """Reads what was downloaded.

    Raises:
        ResultsUnavailable: It is no complete summary file of the round.
    """
    # JSON shows by itself where it ends; a CSV file that was cut behind a row looks whole.
    if not answer.measured and not answer.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{", b"<")):
        raise ResultsUnavailable(f"{url}: the server does not say how long the file is, so it may be incomplete")
    try:
        return parse_results(answer.data, url, round_id=round_id)
    except ResultsError as error:
        raise ResultsUnavailable(f"{error} (what was held before is unchanged)") from error


def today() -> str:
    """The date of today, ISO and UTC."""
    from datetime import UTC, datetime

    return datetime.now(UTC).date().isoformat()


def client() -> httpx.Client:
    """A client for `download`: no redirections of its own, a limit on the wait for each piece."""
    from importlib.metadata import PackageNotFoundError, version

    import httpx

    try:
        agent = f"mlperf-claimcheck/{version('mlperf-claimcheck')}"
    except PackageNotFoundError:
        agent = "mlperf-claimcheck"

    return httpx.Client(timeout=_TIMEOUT, follow_redirects=False, headers={"User-Agent": agent})


def download(
    url: str,
    session: httpx.Client | None = None,
    *,
    etag: str = "",
    progress: Progress | None = None,
    limit: int = LIMIT,
) -> Download:
    """Gets an address, asking again when the server or the connection fails.

    A redirection is followed on the same host, and among GitHub's hosts; never from https to http. Anything else is
    more likely a sign-in page than a results file.

    Raises:
        ServerUnreachable: The server or the connection failed each time.
        ResultsUnavailable: No complete answer of at most `limit` bytes came, or it was a web page.
    """
    if not url.lower().startswith(("http://", "https://")):
        raise ResultsUnavailable(f"{url[:200]}: an http:// or https:// address was expected")
    if session is None:
        with client() as own:
            return download(url, own, etag=etag, progress=progress, limit=limit)
    return retrying(lambda: _ask(url, session, etag, progress, limit), url)


def retrying(ask: Callable[[], T], url: str) -> T:
    """What an address answers, asked again when the server or the connection fails.

    Raises:
        ServerUnreachable: They failed each time.
    """
    import logging

    import stamina

    # Its warning of each further attempt is for programs that log; it must not appear on a user's terminal.
    logging.getLogger("stamina").addHandler(logging.NullHandler())
    again: Callable[[], T] = stamina.retry(
        on=TryAgain, attempts=ATTEMPTS, wait_initial=0.2, wait_max=2.0, wait_jitter=0.2
    )(ask)
    try:
        return again()
    except TryAgain as error:
        raise ServerUnreachable(
            f"{url}: could not be obtained after {ATTEMPTS} attempts ({error}); try again later, or work with what is "
            "held"
        ) from error


def redirected(url: str, location: str) -> str:
    """Where a redirection leads: on the same host, or among GitHub's hosts.

    Raises:
        ResultsUnavailable: It leads to where it must not.
    """
    import httpx

    before = httpx.URL(url)
    after = before.join(location)
    trusted = all(any(u.host == h or u.host.endswith(f".{h}") for h in _UPSTREAM_HOSTS) for u in (before, after))
    safe = after.scheme == "https" or (after.scheme == "http" and before.scheme == "http")
    if not safe or not (after.host == before.host or trusted):
        raise ResultsUnavailable(
            f"{url}: redirects to {str(after)[:200]}, which is not followed; a network's sign-in page does that. Sign "
            f"in, or name the final address in {ENVIRONMENT}"
        )
    return str(after)


def _ask(url: str, session: httpx.Client, etag: str, progress: Progress | None, limit: int, hops: int = 0) -> Download:
    import httpx

    headers = {"If-None-Match": etag} if etag else {}
    end = time.monotonic() + DEADLINE
    try:
        with session.stream("GET", url, headers=headers) as answer:
            if answer.has_redirect_location:
                if hops == _HOPS:
                    raise ResultsUnavailable(f"{url}: redirects more than {_HOPS} times")
                return _ask(redirected(url, answer.headers["location"]), session, etag, progress, limit, hops + 1)
            if answer.status_code >= 500 or answer.status_code == 429:
                raise TryAgain(f"the server answered {answer.status_code}")
            if answer.status_code == 304 and etag:
                return Download(304)
            if answer.status_code == 404:
                return Download(404)
            if answer.status_code != 200:
                raise ResultsUnavailable(f"{url}: the server answered {answer.status_code}, 200 was expected")
            if "html" in answer.headers.get("content-type", "").lower():
                raise ResultsUnavailable(f"{url}: is a web page, not a results file; use the raw file's address")
            declared = answer.headers.get("content-length", "")
            if declared.isdecimal() and int(declared) > limit:
                raise ResultsUnavailable(f"{url}: is larger than {limit // 1024**2} MB")
            expected = int(declared) if declared.isdecimal() else None
            data = bytearray()
            for chunk in answer.iter_bytes():
                data += chunk
                if progress is not None:
                    progress(url, answer.num_bytes_downloaded, expected)
                if time.monotonic() > end:
                    raise ResultsUnavailable(f"{url}: took longer than {DEADLINE:.0f} seconds; try again later")
                if len(data) > limit:
                    raise ResultsUnavailable(f"{url}: is larger than {limit // 1024**2} MB")
            if expected is not None and expected != answer.num_bytes_downloaded:
                raise TryAgain(f"{answer.num_bytes_downloaded} of {expected} bytes came")
            # With chunks, a connection that ends early is an error of its own.
            chunked = "chunked" in answer.headers.get("transfer-encoding", "").lower()
            return Download(200, bytes(data), answer.headers.get("etag", ""), expected is not None or chunked)
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.DecodingError) as error:
        raise ResultsUnavailable(f"{url[:200]}: could not be obtained ({error})") from error
    except httpx.TransportError as error:
        raise TryAgain(str(error) or type(error).__name__) from error
