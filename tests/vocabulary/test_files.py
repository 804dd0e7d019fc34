"""The files of names: the compiled table is current, further folders extend it, mistakes name file and line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mlperf_claimcheck.vocabulary import VocabularyError, build, load_vocabulary
from mlperf_claimcheck.vocabulary.store import COMPILED, DATA_FOLDER

from . import rows as r


def test_the_compiled_table_is_current() -> None:
    assert COMPILED.read_text(encoding="utf-8") == build.render(), "run 'make data'"


def test_loading_imports_no_heavy_module() -> None:
    code = (
        "import sys; from mlperf_claimcheck.vocabulary import load_vocabulary; load_vocabulary();"
        "print([m for m in ('ruamel', 'rapidfuzz', 'polars', 'pydantic', 'yaml') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_vocabulary_is_loaded_once() -> None:
    assert load_vocabulary() is load_vocabulary()


def test_a_folder_of_ones_own_adds_a_gpu_a_model_and_a_spelling(tmp_path: Path) -> None:
    (tmp_path / "hardware.yaml").write_text(
        "hardware:\n"
        "  b999: {name: NVIDIA B999, kind: accelerator, vendor: nvidia, of: [rubin], aliases: [B999],\n"
        "    match: {accelerator: [b999]}}\n"
        "  b200: {aliases: [our big box]}\n",
        encoding="utf-8",
    )
    (tmp_path / "models.yaml").write_text(
        "models:\n  new-llm: {name: New LLM, inference: [new-llm], units: llm, rounds: {'7.0': D}}\n", encoding="utf-8"
    )
    vocabulary = load_vocabulary([tmp_path])
    row = r.FakeRow("NVIDIA B999-SXM")
    assert {"b999", "rubin"} <= vocabulary.classify(row)
    found = vocabulary.find_hardware("NVIDIA B999")
    assert found is not None
    assert found.id == "b999"
    assert vocabulary.find_hardware("our big box") is vocabulary.hardware["b200"]
    assert vocabulary.find_hardware("HGX B200") is vocabulary.hardware["hgx-b200"]
    assert vocabulary.true_units("new-llm", "Offline", "7.0") == ("tokens/s", None)
    assert load_vocabulary().find_hardware("B999") is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hardware.yaml", "hardware:\n  x: {name: X, kind: gadget}\n", r"hardware.yaml:2: kind of 'x'"),
        (
            "hardware.yaml",
            "hardware:\n  x: {name: X, kind: family, alias: [a]}\n",
            r"hardware.yaml:2: 'x' has the unknown key 'alias'",
        ),
        (
            "hardware.yaml",
            "hardware:\n  x: {name: X, kind: family, of: [nowhere]}\n",
            r"'nowhere' is not the id of a hardware entry",
        ),
        (
            "hardware.yaml",
            "hardware:\n  x: {name: X, kind: family, aliases: [B200]}\n",
            r"'B200' is a spelling of two names",
        ),
        ("hardware.yaml", "hardware:\n  x: {name: X, kind: family, aliases: [12]}\n", r"is not text; put it in quotes"),
        ("hardware.yaml", "hardware:\n  x: {name: X, kind: family, aliases: X1}\n", r"'aliases' of 'x' must be a list"),
        ("hardware.yaml", "hardware:\n  rubin: {of: [vr200]}\n", r"contains itself"),
        ("hardware.yaml", "hardware:\n  x: {name: X, kind: family, match: {chip: [a]}}\n", r"match of 'x' takes"),
        (
            "hardware.yaml",
            "hardware:\n  x: {name: X, kind: family, match: {processor: ['re:(']}}\n",
            r"not a regular expression",
        ),
        (
            "hardware.yaml",
            "hardware:\n  x\n",
            r"hardware.yaml:2: 'hardware' must map|hardware.yaml:1: 'hardware' must map",
        ),
        ("hardware.yaml", "hardware: {a: [\n", r"hardware.yaml:\d+:\d+: not valid YAML"),
        ("hardware.yaml", "- a\n", r"expected sections"),
        (
            "hardware.yaml",
            "hardware: {}\nhardware: {}\n",
            r"hardware.yaml:2:1: not valid YAML: 'hardware' is given twice",
        ),
        ("hardware.yaml", "hardware: !!python/object:os.system {}\n", r"hardware.yaml:1:11: not valid YAML"),
        ("groups.yaml", "peer:\n  x: {name: X, members: {nobody: why}}\n", r"'nobody' is not the id of a submitter"),
        ("models.yaml", "models:\n  x: {name: X, rounds: {'7.0': Q}}\n", r"round 7.0 must be D, E or DE"),
        ("gpus.yaml", "a: 1\n", r"gpus.yaml: not a known file of names"),
        ("hardware.yaml", "gpus: {}\n", r"hardware.yaml:1: unknown section 'gpus'"),
    ],
)
def test_mistakes_name_the_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(VocabularyError, match=message):
        load_vocabulary([tmp_path])


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match="no such folder"):
        load_vocabulary([tmp_path / "none"])


def test_build_check_says_when_the_table_is_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / "compiled.json"
    monkeypatch.setattr(build, "COMPILED", target)
    assert build.main(["--check"]) == 1
    assert build.main([]) == 0
    assert build.main(["--check"]) == 0


def test_every_file_is_in_the_package() -> None:
    assert {p.name for p in DATA_FOLDER.glob("*.yaml")} >= {"models.yaml", "hardware.yaml", "submitters.yaml"}
