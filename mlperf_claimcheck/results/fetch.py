"""Downloads published summaries into the cache."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlperf_claimcheck.results.cache import HeldRound, held_round, locked, store
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from mlperf_claimcheck.results.readers import ReadFile, parse_results
from mlperf_claimcheck.results.readers.read import LIMIT
from mlperf_claimcheck.results.rounds import candidate_files, parse_round_id, repository

if TYPE_CHECKING:
    import httpx

ENVIRONMENT = "MLPERF_CLAIMCHECK_RESULTS_URL"
UPSTREAM = "https://raw.githubusercontent.com/mlcommons"
ATTEMPTS = 3
_TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of a round that was asked for."""

    held: HeldRound
    outcome: str
    """`held` (not asked for again), `unchanged` (revalidated), `new` or `replaced`."""
    rows: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Download:
    """An answer of the server."""

    status: int
    """200, 304 or 404."""
    data: bytes = b""
    etag: str = ""


class _TryAgain(Exception):
    """A failure that may pass."""


def base_url() -> str:
    """`MLPERF_CLAIMCHECK_RESULTS_URL` if set, else GitHub's address of MLCommons' files; no slash at the end."""
    return (os.environ.get(ENVIRONMENT) or UPSTREAM).rstrip("/")


def fetch_round(text: str, *, refresh: bool = False) -> Fetched:
    """Gets a round into the cache. What the cache held stays unless a complete file that parses replaces it.

    Args:
        text: The round (`v6.1`, `inference-v6.1`).
        refresh: Ask again for a round that is held.

    Raises:
        RoundError: It is no round of MLPerf Inference.
        ResultsUnavailable: It could not be obtained.
    """
    round_id = parse_round_id(text)
    address = f"{base_url()}/{repository(round_id)}/main"
    with locked(round_id):
        try:
            held = held_round(round_id)
            if held is not None:
                held.read()
        except ResultsError:
            held = None  # Damaged: it is fetched anew, whole.
        if held is not None and not refresh:
            return Fetched(held, "held")
        with _client() as client:
            for name in candidate_files(round_id):
                url = f"{address}/{name}"
                etag = held.etag if held is not None and held.url == url else ""
                answer = download(url, client, etag=etag)
                if answer.status == 304 and held is not None:
                    return Fetched(held, "unchanged")
                if answer.status == 200:
                    read = parse_download(answer.data, url, round_id)
                    same = held is not None and held.sha256 == read.sha256
                    new = store(round_id, answer.data, url=url, etag=answer.etag, retrieved=_today())
                    outcome = "new" if held is None else "unchanged" if same else "replaced"
                    return Fetched(new, outcome, len(read.rows), read.warnings)
    raise ResultsUnavailable(
        f"{round_id}: {address}/ has none of {', '.join(candidate_files(round_id))} (404); check the round, or set "
        f"{ENVIRONMENT} to a mirror"
    )


def parse_download(data: bytes, url: str, round_id: str | None) -> ReadFile:
    """Reads what was downloaded.

    Raises:
        ResultsUnavailable: It is no summary file of the round.
    """
    try:
        return parse_results(data, url, round_id=round_id)
    except ResultsError as error:
        raise ResultsUnavailable(f"{error} (what was held before is unchanged)") from error


def _today() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).date().isoformat()


def _client() -> httpx.Client:
    from importlib.metadata import PackageNotFoundError, version

    import httpx

    try:
        agent = f"mlperf-claimcheck/{version('mlperf-claimcheck')}"
    except PackageNotFoundError:
        agent = "mlperf-claimcheck"

    return httpx.Client(timeout=_TIMEOUT, follow_redirects=True, headers={"User-Agent": agent})


def download(url: str, client: httpx.Client | None = None, *, etag: str = "") -> Download:
    """Gets an address, asking again when the server or the connection fails.

    Raises:
        ResultsUnavailable: No complete answer of at most 64 MB came, or it was a web page.
    """
    import stamina

    if not url.lower().startswith(("http://", "https://")):
        raise ResultsUnavailable(f"{url[:200]}: an http:// or https:// address was expected")
    if client is None:
        with _client() as own:
            return download(url, own, etag=etag)
    ask: Callable[[], Download] = stamina.retry(
        on=_TryAgain, attempts=ATTEMPTS, wait_initial=0.2, wait_max=2.0, wait_jitter=0.2
    )(lambda: _ask(url, client, etag))
    try:
        return ask()
    except _TryAgain as error:
        raise ResultsUnavailable(
            f"{url}: could not be obtained after {ATTEMPTS} attempts ({error}); try again later, or work with what is "
            "held"
        ) from error


def _ask(url: str, client: httpx.Client, etag: str) -> Download:
    import httpx

    headers = {"If-None-Match": etag} if etag else {}
    try:
        with client.stream("GET", url, headers=headers) as answer:
            if answer.status_code >= 500 or answer.status_code == 429:
                raise _TryAgain(f"the server answered {answer.status_code}")
            if answer.status_code == 304 and etag:
                return Download(304)
            if answer.status_code == 404:
                return Download(404)
            if answer.status_code != 200:
                raise ResultsUnavailable(f"{url}: the server answered {answer.status_code}, 200 was expected")
            if "html" in answer.headers.get("content-type", "").lower():
                raise ResultsUnavailable(f"{url}: is a web page, not a results file; use the raw file's address")
            declared = answer.headers.get("content-length", "")
            if declared.isdecimal() and int(declared) > LIMIT:
                raise ResultsUnavailable(f"{url}: is larger than {LIMIT // 1024**2} MB")
            data = bytearray()
            for chunk in answer.iter_bytes():
                data += chunk
                if len(data) > LIMIT:
                    raise ResultsUnavailable(f"{url}: is larger than {LIMIT // 1024**2} MB")
            if declared.isdecimal() and int(declared) != answer.num_bytes_downloaded:
                raise _TryAgain(f"{answer.num_bytes_downloaded} of {declared} bytes came")
            return Download(200, bytes(data), answer.headers.get("etag", ""))
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects, httpx.DecodingError) as error:
        raise ResultsUnavailable(f"{url[:200]}: could not be obtained ({error})") from error
    except httpx.TransportError as error:
        raise _TryAgain(str(error) or type(error).__name__) from error
