"""Training and Endpoints rounds come from the archive of their repository; what it holds is trusted in nothing."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mlperf_claimcheck.api import check_files
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput
from mlperf_claimcheck.results import archive as reading
from mlperf_claimcheck.results import fetch as fetching
from mlperf_claimcheck.results.archive import ArchiveError, keep_results
from mlperf_claimcheck.results.cache import held_round
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from mlperf_claimcheck.results.fetch import fetch_round
from mlperf_claimcheck.results.load import load_results
from tests.results.endpoints.conftest import Bundle
from tests.results.training.test_reader import TIMES, Builder, log

TRAINING = "/training_results_v5.1/archive/refs/heads/main.tar.gz"
ENDPOINTS = "/endpoints_results_v0.7/archive/refs/heads/main.tar.gz"


@pytest.fixture
def server(httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(fetching, "ATTEMPTS", 2)
    return httpserver


def packed(root: Path, *more: tuple[tarfile.TarInfo, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=kind, pax_headers={"comment": "0" * 40}) as archive:
        archive.add(root, f"{root.name}-main")
        for info, data in more:
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def entry(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, len(data)
    return info, data


@pytest.fixture
def repository(tmp_path: Path) -> Builder:
    build = Builder(tmp_path / "training_results_v5.1")
    build.system("NVIDIA", "gb300_512", accelerator_model_name="NVIDIA GB300")
    build.runs("llama31_8b", [log(m) for m in TIMES], "NVIDIA", "gb300_512")
    code = build.root / "NVIDIA" / "benchmarks" / "llama31_8b" / "implementations"
    code.mkdir(parents=True)
    (code / "train.py").write_text("print()\n" * 1000)
    return build


def chunks(data: bytes, size: int = 1000) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


def judge(text: str, round_id: str) -> str:
    claim = ClaimInput(id="x", text=text, defaults={"round": round_id})
    return str(check_files([ClaimFile(path="<t>", claims=(claim,))], load_results()).verdicts[0].outcome)


def test_a_fetched_training_round_decides_claims(server: HTTPServer, repository: Builder) -> None:
    server.expect_oneshot_request(TRAINING).respond_with_data(packed(repository.root))
    done = fetch_round("training-v5.1")
    assert (done.outcome, done.rows) == ("new", 1)
    assert judge("NVIDIA trained Llama 3.1 8B in 14.5 minutes", "training-v5.1") == "pass"
    assert judge("NVIDIA trained Llama 3.1 8B in 14.6 minutes", "training-v5.1") == "fail"
    table = load_results()
    (source,) = [s for s in table.sources if s.round == "training-v5.1"]
    assert (source.origin, source.sha256, source.rows) == ("cache", done.held.sha256, 1)
    folder = load_results(sources=[str(repository.root)], use_cache=False)
    assert folder.by_round("training-v5.1") == table.by_round("training-v5.1")
    assert folder.training["training-v5.1"] == table.training["training-v5.1"], "with the lines of the whole logs"
    assert fetch_round("training-v5.1").outcome == "held"


def test_only_what_counts_is_kept(repository: Builder) -> None:
    kept = keep_results(chunks(packed(repository.root)), "training")
    assert len(kept.files) == 11
    assert not any("train.py" in path for path in kept.files)
    assert max(map(len, kept.files.values())) < 1000, "of a run log the lines of its start and end"


def test_a_fetched_endpoints_round_decides_claims(server: HTTPServer, tmp_path: Path) -> None:
    from tests.checks.test_endpoints import OURS, RIVAL, write

    root = tmp_path / "endpoints_results_v0.7"
    write(root, "CoreWeave", OURS)
    write(root, "Nebius", RIVAL)
    server.expect_oneshot_request(ENDPOINTS).respond_with_data(packed(root))
    assert fetch_round("endpoints-v0.7").rows == 5
    claim = "CoreWeave, DeepSeek-R1: P95 TTFT of 5.77 s at 16,384 concurrency"
    assert judge(claim, "endpoints-v0.7") == "pass"
    assert judge(claim.replace("5.77", "5.78"), "endpoints-v0.7") == "fail"


def test_a_bundle_reads_the_same_from_a_pack(tmp_path: Path) -> None:
    from mlperf_claimcheck.results.endpoints import read_endpoints
    from mlperf_claimcheck.results.pack import PackTree, write_pack

    bundle = Bundle(tmp_path / "endpoints")
    bundle.write_v10()
    kept = keep_results(chunks(packed(bundle.root)), "endpoints")
    tree = PackTree(write_pack(kept.files), "pack")
    assert read_endpoints(tree) == read_endpoints(bundle.root)


def test_refresh_asks_by_etag_and_keeps_earlier_versions(server: HTTPServer, repository: Builder) -> None:
    data = [packed(repository.root)]

    def handle(request: Request) -> Response:
        etag = f'"{len(data)}"'
        if request.headers.get("If-None-Match") == etag:
            return Response(status=304)
        return Response(data[-1], headers={"ETag": etag})

    server.expect_request(TRAINING).respond_with_handler(handle)
    first = fetch_round("training-v5.1")
    assert fetch_round("training-v5.1", refresh=True).outcome == "unchanged"
    (repository.root / "README.md").write_text("new")
    data.append(packed(repository.root))
    again = fetch_round("training-v5.1", refresh=True)
    assert (again.outcome, again.held.sha256) == ("unchanged", first.held.sha256), "of other files nothing is kept"
    repository.runs("llama31_8b", [log(m + 1) for m in TIMES], "NVIDIA", "gb300_512")
    data.append(packed(repository.root))
    changed = fetch_round("training-v5.1", refresh=True)
    assert (changed.outcome, changed.previous) == ("replaced", first.held.sha256)


def test_a_damaged_pack_is_an_error_and_is_fetched_anew(server: HTTPServer, repository: Builder) -> None:
    server.expect_request(TRAINING).respond_with_data(packed(repository.root))
    held = fetch_round("training-v5.1").held
    held.path.write_bytes(held.path.read_bytes()[:-1])
    with pytest.raises(ResultsError, match="damaged"):
        load_results()
    assert fetch_round("training-v5.1").outcome == "new"


@pytest.mark.parametrize("kind", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_are_read(tmp_path: Path, kind: int) -> None:
    root = tmp_path / "training_results_v5.1"
    build = Builder(root)
    name = "s" * 120
    build.system("NVIDIA", name)
    build.runs("llama31_405b", [log(30), log(10.5), log(12.25)], "NVIDIA", name)
    kept = keep_results(chunks(packed(root, kind=kind)), "training")
    assert f"NVIDIA/results/{name}/llama31_405b/result_0.txt.lines" in kept.files


HOSTILE = [
    entry("x-main/../../NVIDIA/systems/a.json", b"{}"),
    entry("/x-main/NVIDIA/systems/a.json", b"{}"),
    entry("x-main/../NVIDIA/systems/a.json", b"{}"),
    entry("x-main/NVIDIA/systems/../systems/a.json", b"{}"),
    entry("x-main//NVIDIA/systems/a.json", b"{}"),
    entry("x-main/NVIDIA\\..\\/systems/a.json", b"{}"),
    entry("x-main/NVIDIA/systems/a.json", b"", tarfile.SYMTYPE, "/etc/passwd"),
    entry("x-main/NVIDIA/systems/a.json", b"", tarfile.LNKTYPE, "../../etc/passwd"),
    entry("x-main/NVIDIA/systems/a.json", b"", tarfile.FIFOTYPE),
    entry("x-main/NVIDIA/systems/a.json", b"", tarfile.CHRTYPE),
    entry("x-main/NVIDIA/results/a/b/result_0.txt", b"", tarfile.SYMTYPE, "/dev/zero"),
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda e: f"{e[0].name}-{e[0].type!r}")
def test_links_and_paths_that_leave_are_never_kept(
    repository: Builder, hostile: tuple[tarfile.TarInfo, bytes], tmp_path: Path
) -> None:
    kept = keep_results(chunks(packed(repository.root, hostile)), "training")
    assert len(kept.files) == 11
    assert all(".." not in path and not path.startswith("/") for path in kept.files)
    linked = hostile[0].type in (tarfile.SYMTYPE, tarfile.LNKTYPE)
    assert kept.warnings == (["1 links of the archive were left out"] if linked else [])


def damaged(data: bytes) -> dict[str, bytes]:
    plain = gzip.decompress(data)
    return {
        "empty": b"",
        "cut": data[: len(data) // 2],
        "cut behind the last file": gzip.compress(plain[: len(plain) // 2 // 512 * 512]),
        "checksum": data[:-8] + bytes(8),
        "no gzip": plain,
        "no tar": gzip.compress(b"no archive at all" * 100),
        "text": b"<html>Sign in</html>",
        "nothing that counts": gzip.compress(bytes(1024)),
        "flipped": gzip.compress(plain[:100] + b"\xff" + plain[101:]),
    }


@pytest.mark.parametrize("how", damaged(gzip.compress(b"x" * 99)))
def test_a_damaged_archive_leaves_what_was_held(server: HTTPServer, repository: Builder, how: str) -> None:
    whole = packed(repository.root)
    server.expect_oneshot_request(TRAINING).respond_with_data(whole)
    first = fetch_round("training-v5.1").held
    server.expect_request(TRAINING).respond_with_data(damaged(whole)[how])
    with pytest.raises(ResultsUnavailable, match="unchanged"):
        fetch_round("training-v5.1", refresh=True)
    assert held_round("training-v5.1") == first


def test_a_file_twice_is_refused(repository: Builder) -> None:
    twice = entry("training_results_v5.1-main/NVIDIA/systems/gb300_512.json", b"{}")
    with pytest.raises(ArchiveError, match="twice"):
        keep_results(chunks(packed(repository.root, twice)), "training")


def test_sizes_are_bounded(repository: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    large = entry("x-main/NVIDIA/systems/large.json", b" " * 3000)
    monkeypatch.setattr(reading, "FILE_LIMIT", 2000)
    kept = keep_results(chunks(packed(repository.root, large)), "training")
    assert "more than such a file may have" in kept.warnings[0]
    for limit, value in (("LIMIT", 500), ("MOST_FILES", 3), ("MOST_ENTRIES", 5), ("MOST_BYTES", 4096)):
        with monkeypatch.context() as patch:
            patch.setattr(reading, limit, value)
            with pytest.raises(ArchiveError, match=r"larger than|more than"):
                keep_results(chunks(packed(repository.root)), "training")


def test_a_bomb_is_read_in_little_memory() -> None:
    import tracemalloc

    size = 64 * 1024**2
    info = entry("x-main/a/results/b/c/result_0.txt")[0]
    info.size = size
    header = gzip.compress(info.tobuf())
    body = gzip.compress(bytes(1024**2))
    data = [header, *[body] * 64, gzip.compress(bytes(1024))]
    tracemalloc.start()
    kept = keep_results(data, "training")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert list(kept.files.values()) == [b"0:\n"]
    assert peak < 8 * 1024**2


def test_a_run_too_few_is_told_when_fetched(server: HTTPServer, repository: Builder) -> None:
    repository.system("Dell", "xe")
    repository.runs("llama31_8b", [log(m) for m in TIMES[:9]], "Dell", "xe")
    (repository.root / "Dell" / "results" / "xe" / "llama31_8b" / "scaling.json").write_text(json.dumps({}))
    server.expect_request(TRAINING).respond_with_data(packed(repository.root))
    (warning,) = fetch_round("training-v5.1").warnings
    assert "has 9 run logs (result_0.txt …), 10 are needed" in warning


def test_a_round_that_is_not_there_says_what_to_do(server: HTTPServer) -> None:
    server.expect_request(TRAINING).respond_with_data("", status=404)
    with pytest.raises(ResultsUnavailable, match="name a copy of the repository with --results"):
        fetch_round("training-v5.1")


def test_a_redirection_is_followed_on_the_same_host_only(server: HTTPServer, repository: Builder) -> None:
    server.expect_request(TRAINING).respond_with_data("", status=302, headers={"Location": "/elsewhere"})
    server.expect_request("/elsewhere").respond_with_data(packed(repository.root))
    assert fetch_round("training-v5.1").outcome == "new"
    server.clear()
    server.expect_request(TRAINING).respond_with_data("", status=302, headers={"Location": "http://example.org/x"})
    with pytest.raises(ResultsUnavailable, match="not followed"):
        fetch_round("training-v5.1", refresh=True)


@pytest.mark.parametrize("piece", [1, 7, 64, 4096])
@pytest.mark.parametrize("end", ["\n", ""])
def test_lines_keep_their_numbers_however_the_stream_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int, end: str
) -> None:
    monkeypatch.setattr(reading, "_PIECE", piece)
    monkeypatch.setattr(reading, "_LONGEST_LINE", 80)
    start, stop = ':::MLLOG {"key": "run_start"}', ':::MLLOG {"key": "run_stop"}'
    text = f"a\n\n{start}\r\n{'x' * 500} {stop}\n{stop}\nrun_start alone\n{stop}{end}"
    build = Builder(tmp_path / "training_results_v5.1")
    build.runs("llama31_8b", [text], "NVIDIA")
    kept = keep_results(chunks(packed(build.root)), "training")
    assert list(kept.files.values()) == [f"3:{start}\n5:{stop}\n7:{stop}\n".encode()]
