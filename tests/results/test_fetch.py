"""A fetched round replaces what was held only if it came whole and can be read."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mlperf_claimcheck.results import fetch as fetching
from mlperf_claimcheck.results.cache import held_round, stored_version
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable, RoundError
from mlperf_claimcheck.results.fetch import fetch_round
from mlperf_claimcheck.results.load import load_results
from tests.results.summary_samples import new_csv, new_row, old_file

PATH = "/inference_results_v6.1/main/summary.csv"
OLD = "/inference_results_v4.1/main/summary_results.json"


@pytest.fixture
def server(httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(fetching, "ATTEMPTS", 2)
    return httpserver


def answer(data: bytes, *, headers: dict[str, str] | None = None, **options: Any) -> Response:
    # A stated length stands only on an answer that is not measured.
    body: Any = [data] if headers and "Content-Length" in headers else data
    return Response(body, headers=headers, direct_passthrough=False, **options)


def serve(server: HTTPServer, data: bytes, path: str = PATH, **options: Any) -> None:
    server.expect_oneshot_request(path).respond_with_response(answer(data, **options))


def test_a_fetched_round_is_used_in_place_of_the_bundled_one(server: HTTPServer) -> None:
    serve(server, new_csv())
    assert fetch_round("v6.1").outcome == "new"
    table = load_results()
    assert [r.submitter for r in table.by_round("inference-v6.1")] == ["Acme"]
    source = table.sources[-1]
    assert (source.origin, source.rows, source.source) == ("cache", 1, server.url_for(PATH))
    assert len(load_results(use_cache=False).by_round("inference-v6.1")) == 492


def test_a_held_round_is_asked_for_again_only_on_refresh_and_by_etag(server: HTTPServer) -> None:
    seen = []

    def handle(request: Request) -> Response:
        seen.append(request.headers.get("If-None-Match"))
        return Response(status=304) if seen[-1] else Response(new_csv(), headers={"ETag": '"one"'})

    server.expect_request(PATH).respond_with_handler(handle)
    outcomes = [fetch_round("v6.1", refresh=r).outcome for r in (False, False, True)]
    assert outcomes == ["new", "held", "unchanged"]
    assert seen == [None, '"one"']


def test_a_changed_round_replaces_the_held_one(server: HTTPServer) -> None:
    serve(server, new_csv())
    fetch_round("v6.1")
    serve(server, new_csv(new_row(Result="1.5")))
    assert fetch_round("v6.1", refresh=True).outcome == "replaced"
    assert load_results().by_round("inference-v6.1")[0].value == 1.5


def test_earlier_versions_stay_and_are_found_by_hash(server: HTTPServer) -> None:
    serve(server, new_csv())
    first = fetch_round("v6.1").held.sha256
    serve(server, new_csv(new_row(Result="1.5")))
    fetch_round("v6.1", refresh=True)
    found = stored_version(first[:12])
    assert found is not None
    assert [r.value for r in found.rows] == [7200.0]
    assert stored_version("0" * 12) is None
    assert stored_version("../..") is None


def test_two_at_once_leave_one_whole_round(server: HTTPServer) -> None:
    server.expect_request(PATH).respond_with_data(new_csv())
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda _: fetch_round("v6.1").outcome, range(4)))
    assert sorted(outcomes) == ["held", "held", "held", "new"]
    assert len(load_results().by_round("inference-v6.1")) == 1


def test_no_part_of_a_file_stays_behind(server: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk is full")

    serve(server, new_csv())
    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(ResultsUnavailable, match="disk is full"):
        fetch_round("v6.1")
    assert list((tmp_path / "cache").rglob(".part-*")) == []
    assert held_round("inference-v6.1") is None


def test_other_file_names_are_tried(server: HTTPServer) -> None:
    data = json.dumps({"0": new_row(version="v7.0")}).encode()
    serve(server, b"", "/inference_results_v7.0/main/summary.csv", status=404)
    serve(server, data, "/inference_results_v7.0/main/summary.json")
    assert fetch_round("v7.0").held.round == "inference-v7.0"


def test_a_server_failure_is_asked_again(server: HTTPServer) -> None:
    serve(server, b"", status=503)
    serve(server, new_csv())
    assert fetch_round("v6.1").outcome == "new"


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (b"<html><body>sign in</body></html>", {"content_type": "text/html"}, "web page"),
        (b"<html><body>sign in</body></html>", {"content_type": "text/plain"}, "web page"),
        (new_csv()[:-30], {}, "cells"),
        (old_file(), {}, "belongs to inference-v4.1"),
        (b"", {}, "header"),
        (b"", {"status": 403}, "403"),
        (b"x", {"headers": {"Content-Length": str(2**40)}}, "larger than 64 MB"),
        (new_csv(), {"headers": {"Content-Encoding": "gzip"}}, "could not be obtained"),
    ],
)
def test_a_bad_answer_leaves_what_was_held(
    server: HTTPServer, data: bytes, options: dict[str, Any], words: str
) -> None:
    serve(server, new_csv())
    before = fetch_round("v6.1").held
    serve(server, data, **options)
    with pytest.raises(ResultsUnavailable) as error:
        fetch_round("v6.1", refresh=True)
    assert words in str(error.value)
    assert held_round("inference-v6.1") == before
    assert len(load_results().by_round("inference-v6.1")) == 1


def test_a_shortened_answer_is_refused(server: HTTPServer) -> None:
    whole = new_csv(*[new_row() for _ in range(3)])
    cut = whole[: whole.index(b"\n", len(whole) // 2) + 1]  # ends at a row: only the length tells
    server.expect_request(PATH).respond_with_response(answer(cut, headers={"Content-Length": str(len(whole))}))
    with pytest.raises(ResultsUnavailable, match="after 2 attempts"):
        fetch_round("v6.1")
    assert held_round("inference-v6.1") is None


def test_no_server(server: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", "http://127.0.0.1:9")
    with pytest.raises(ResultsUnavailable, match="after 2 attempts"):
        fetch_round("v6.1")


def test_a_round_that_is_not_published(server: HTTPServer) -> None:
    with pytest.raises(ResultsUnavailable, match=r"could not be obtained|has none of"):
        fetch_round("v9.9")


@pytest.mark.parametrize("text", ["../../etc", "v6.1/../x", "storage-v1.0"])
def test_round_names_never_reach_an_address_unchecked(server: HTTPServer, text: str) -> None:
    with pytest.raises(RoundError):
        fetch_round(text)
    assert server.log == []


def test_a_damaged_cache_is_noticed_and_mended_by_refresh(server: HTTPServer) -> None:
    serve(server, new_csv())
    held = fetch_round("v6.1").held
    held.path.write_bytes(new_csv(new_row(Result="9999999")))
    with pytest.raises(ResultsError, match="--refresh"):
        load_results()
    serve(server, new_csv())
    fetch_round("v6.1", refresh=True)
    assert load_results().by_round("inference-v6.1")[0].value == 7200.0


def test_a_record_that_points_elsewhere_is_refused(server: HTTPServer) -> None:
    serve(server, new_csv())
    record = fetch_round("v6.1").held.path.with_name("current.json")
    record.write_text(record.read_text().replace(held_round("inference-v6.1").name, "../../x.csv"))  # type: ignore[union-attr]
    with pytest.raises(ResultsError, match="damaged"):
        load_results()


def test_an_address_and_a_mirror_as_explicit_sources(server: HTTPServer) -> None:
    serve(server, new_csv())
    table = load_results(sources=[server.url_for(PATH)], offline=False)
    assert (table.sources[-1].origin, table.sources[-1].rows) == ("url", 1)
    server.clear()
    for path, data in ((PATH, new_csv()), (OLD, old_file())):
        server.expect_request(path).respond_with_data(data)
    server.expect_request("/inference_results_v5.0/main/summary_results.json").respond_with_data("", status=404)
    server.expect_request("/inference_results_v5.1/main/summary_results.json").respond_with_data("", status=404)
    server.expect_request("/inference_results_v6.0/main/summary_results.json").respond_with_data("", status=404)
    table = load_results(sources=[server.url_for("")], offline=False)
    assert [s.round for s in table.sources if s.origin == "url"] == ["inference-v4.1", "inference-v6.1"]


def test_a_redirection_on_the_same_host_is_followed(server: HTTPServer) -> None:
    server.expect_request(PATH).respond_with_response(Response(status=302, headers={"Location": "/moved.csv"}))
    server.expect_request("/moved.csv").respond_with_data(new_csv())
    assert fetch_round("v6.1").outcome == "new"


@pytest.mark.parametrize(
    ("before", "location", "after"),
    [
        ("https://github.com/mlcommons/x/raw/main/a.csv", "https://raw.githubusercontent.com/a.csv", None),
        ("https://raw.githubusercontent.com/a.csv", "https://objects.githubusercontent.com/b.csv", None),
        ("https://mirror.example/a.csv", "b.csv", "https://mirror.example/b.csv"),
        ("http://mirror.example/a.csv", "https://mirror.example/a.csv", None),
        ("https://mirror.example/a.csv", "http://mirror.example/a.csv", ""),
        ("https://raw.githubusercontent.com/a.csv", "https://evilgithubusercontent.com/a.csv", ""),
        ("https://raw.githubusercontent.com/a.csv", "http://raw.githubusercontent.com/a.csv", ""),
        ("https://raw.githubusercontent.com/a.csv", "https://login.hotel.example/", ""),
        ("https://mirror.example/a.csv", "https://raw.githubusercontent.com/a.csv", ""),
        ("https://mirror.example/a.csv", "file:///etc/passwd", ""),
    ],
)
def test_where_redirections_may_lead(before: str, location: str, after: str | None) -> None:
    """On the same host or among GitHub's, never to plain http: elsewhere a sign-in page waits."""
    if after == "":
        with pytest.raises(ResultsUnavailable, match="not followed"):
            fetching.redirected(before, location)
    else:
        assert fetching.redirected(before, location) == (after or location)


def test_endless_redirections_end(server: HTTPServer) -> None:
    server.expect_request(PATH).respond_with_response(Response(status=302, headers={"Location": PATH}))
    with pytest.raises(ResultsUnavailable, match="more than 5 times"):
        fetch_round("v6.1")
    assert len(server.log) == 6


def test_progress_is_told(server: HTTPServer) -> None:
    serve(server, new_csv())
    told: list[tuple[str, int, int | None]] = []
    fetch_round("v6.1", progress=lambda *what: told.append(what))
    assert told[-1] == (server.url_for(PATH), len(new_csv()), len(new_csv()))


def test_a_csv_of_unknown_length_is_refused_and_json_is_not(tmp_path: Path) -> None:
    """Cut behind a row, a CSV file looks whole; JSON shows where it ends."""
    unmeasured = fetching.Download(200, new_csv(), measured=False)
    with pytest.raises(ResultsUnavailable, match="incomplete"):
        fetching.parse_download(unmeasured, "x", None)
    assert fetching.parse_download(fetching.Download(200, old_file(), measured=False), "x", None).rows


def test_an_answer_that_takes_too_long_is_given_up(server: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "DEADLINE", -1.0)
    serve(server, new_csv())
    with pytest.raises(ResultsUnavailable, match="took longer"):
        fetch_round("v6.1")


def test_the_file_that_was_replaced_is_told(server: HTTPServer) -> None:
    serve(server, new_csv())
    first = fetch_round("v6.1")
    assert first.previous is None
    serve(server, new_csv(new_row(Result="1.5")))
    assert fetch_round("v6.1", refresh=True).previous == first.held.sha256


def test_links_in_the_cache_are_not_followed(server: HTTPServer, tmp_path: Path) -> None:
    serve(server, new_csv())
    held = fetch_round("v6.1").held
    outside = tmp_path / "outside.csv"
    held.path.rename(outside)
    held.path.symlink_to(outside)
    with pytest.raises(ResultsError, match="symbolic link"):
        load_results()
    folder = held.path.parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    serve(server, new_csv())
    with pytest.raises(ResultsError, match="symbolic link"):
        fetch_round("v6.1", refresh=True)


def test_retries_say_nothing_on_standard_error(server: HTTPServer) -> None:
    """A program without logging set up prints warnings of libraries to standard error; ours must not."""
    code = (
        "from mlperf_claimcheck.results import fetch\n"
        "fetch.ATTEMPTS = 2\n"
        "try:\n    fetch.fetch_round('v6.1')\nexcept fetch.ResultsUnavailable as e:\n    print(e)\n"
    )
    server.expect_request(PATH).respond_with_data("", status=500)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "after 2 attempts" in done.stdout
    assert done.stderr == ""


def test_two_processes_at_once_leave_one_whole_round(server: HTTPServer) -> None:
    """The second waits for the first, finds the round held, and does not ask for it again."""

    def slow(_: Request) -> Response:
        time.sleep(0.3)
        return Response(new_csv())

    server.expect_request(PATH).respond_with_handler(slow)
    code = "from mlperf_claimcheck.results.fetch import fetch_round; print(fetch_round('v6.1').outcome)"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(p.communicate(timeout=60)[0].strip() for p in both) == ["held", "new"]
    assert len(server.log) == 1
    assert len(load_results().by_round("inference-v6.1")) == 1


def test_a_failing_refresh_by_a_second_process_leaves_readers_alone(server: HTTPServer) -> None:
    serve(server, new_csv())
    fetch_round("v6.1")
    server.expect_request(PATH).respond_with_data("", status=502)
    with pytest.raises(ResultsUnavailable, match="502"):
        fetch_round("v6.1", refresh=True)
    assert load_results().sources[-1].origin == "cache"
