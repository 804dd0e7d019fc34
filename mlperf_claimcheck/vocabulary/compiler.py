"""From the YAML files of names to the one table that is loaded at run time, with every mistake found on the way.

The files are read with their line numbers. A further folder may hold files of the same names: new entries are added,
lists of an entry that exists are lengthened, its other values replaced.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mlperf_claimcheck.vocabulary import normalise
from mlperf_claimcheck.vocabulary.lexicon import compile_lexicon, phrases_of
from mlperf_claimcheck.vocabulary.matching import prepared
from mlperf_claimcheck.vocabulary.model import VocabularyError

FILES: Mapping[str, tuple[str, ...]] = {
    "models.yaml": ("unit_profiles", "unit_notes", "models"),
    "hardware.yaml": ("vendors", "hardware"),
    "submitters.yaml": ("submitters", "joint"),
    "groups.yaml": ("peer", "architecture"),
    "units.yaml": ("units", "lower_is_better", "divisors", "scenarios"),
    "rounds.yaml": ("suites", "implied_by_scenario", "implied_by_unit"),
    "compatibility.yaml": (
        "table", "rounds", "notes", "datacenter", "edge", "training", "hpc", "mobile", "storage", "tiny",
    ),
}  # fmt: skip
"""File -> its sections."""
LANGUAGE = "language.yaml"

_ENTRY_KEYS: Mapping[str, frozenset[str]] = {
    "models": frozenset(
        {"name", "inference", "edge", "training", "endpoints", "rounds", "units", "aliases", "by", "note"}
    ),
    "hardware": frozenset({"name", "kind", "vendor", "of", "aliases", "rack", "match", "prefix", "instinct", "plural"}),
    "submitters": frozenset({"name", "published", "aliases"}),
    "peer": frozenset({"name", "date", "aliases", "members"}),
    "architecture": frozenset(
        {"name", "aliases", "vendors", "hardware", "cpu_only", "accelerated"}
        | {"min_nodes", "max_nodes", "min_accelerators", "max_accelerators"}
    ),
    "units": frozenset({"kind", "aliases"}),
    "suites": frozenset({"name", "aliases", "rounds"}),
    "vendors": frozenset({"name", "prefixes"}),
}
_MATCH_KEYS = frozenset({"accelerator", "system", "processor", "is", "cpu_only"})
_KINDS = ("accelerator", "product", "family", "cpu")
_PLURAL_ENDS = ("GPU", "accelerator", "Superchip", "rack", "system", "platform", "server", "processor", "CPU")


def compile_vocabulary(folders: Sequence[Path]) -> dict[str, Any]:
    """The table of all names in the files of these folders. Raises VocabularyError with file and line."""
    sources: dict[str, str] = {}
    merged: dict[str, Any] = {}
    language: Any = {}
    for number, folder in enumerate(folders):
        present = sorted(p.name for p in folder.glob("*.yaml")) if folder.is_dir() else None
        if present is None:
            raise VocabularyError(f"{folder}: no such folder of names. Give a folder with files such as hardware.yaml.")
        for name in present:
            if name != LANGUAGE and name not in FILES:
                raise VocabularyError(
                    f"{folder / name}: not a known file of names. Known: {', '.join(sorted([*FILES, LANGUAGE]))}."
                )
        for name in (*FILES, LANGUAGE):
            path = folder / name
            if name not in present:
                if number == 0 and name != LANGUAGE:
                    raise VocabularyError(f"{path}: the file is missing. Reinstall mlperf-claimcheck.")
                continue
            data = _read(path)
            if number == 0:
                sources[name] = hashlib.sha256(path.read_bytes()).hexdigest()
            if name == LANGUAGE:
                language = _merge(language, _plain(data))
                continue
            _check_file(path, name, data)
            for section, value in data.items():
                target = f"compatibility:{section}" if name == "compatibility.yaml" else section
                merged[target] = _merge(merged.get(target), _plain(value))
    return _assemble(merged, language, sources)


class _Lined(dict[str, Any]):
    """A mapping of a file, with the line of each key."""

    lines: dict[str, int]


def _read(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        data = _parse(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        raise VocabularyError(f"{path}{place}: not valid YAML: {error.problem}.") from error
    except (yaml.YAMLError, ValueError, OSError, RecursionError) as error:
        raise VocabularyError(f"{path}: cannot be read as YAML: {error}") from error
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise VocabularyError(f"{path}:1: expected sections such as '{next(iter(FILES.get(path.name, ('words',))))}:'.")
    return data


def _parse(text: str) -> Any:
    """YAML as plain values, mappings with their lines; a key given twice is a mistake, `yes` and `on` are words."""
    import yaml

    class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
        """Safe loader that keeps lines, with the booleans of YAML 1.2."""

    # The booleans of YAML 1.1 would turn the English words on, off, yes and no into true and false.
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))

    def mapping(loader: Any, node: Any) -> _Lined:
        found = _Lined()
        found.lines = {}
        for key_node, value_node in node.value:
            key = str(loader.construct_object(key_node, deep=True))
            if key in found:
                raise yaml.MarkedYAMLError(problem=f"'{key}' is given twice", problem_mark=key_node.start_mark)
            found.lines[key] = key_node.start_mark.line + 1
            found[key] = loader.construct_object(value_node, deep=True)
        return found

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    return yaml.load(text, Loader=Loader)


def _line(mapping: Any, key: Any) -> str:
    return f":{mapping.lines[key]}" if isinstance(mapping, _Lined) and key in mapping.lines else ""


def _check_file(path: Path, name: str, data: Mapping[str, Any]) -> None:
    for section, entries in data.items():
        if section not in FILES[name]:
            raise VocabularyError(
                f"{path}{_line(data, section)}: unknown section '{section}'. Known: {', '.join(FILES[name])}."
            )
        allowed = _ENTRY_KEYS.get(section)
        if allowed is None:
            continue
        if not isinstance(entries, Mapping):
            raise VocabularyError(f"{path}{_line(data, section)}: '{section}' must map ids to entries.")
        for name_id, entry in entries.items():
            _check_entry(f"{path}{_line(entries, name_id)}", section, str(name_id), entry, allowed)


def _check_entry(place: str, section: str, name_id: str, entry: Any, allowed: frozenset[str]) -> None:
    if not isinstance(entry, Mapping):
        raise VocabularyError(f"{place}: '{name_id}' must be a mapping, such as {{name: …, aliases: […]}}.")
    for key, value in entry.items():
        if key not in allowed:
            raise VocabularyError(
                f"{place}: '{name_id}' has the unknown key '{key}'. Known: {', '.join(sorted(allowed))}."
            )
        if key in (
            "aliases",
            "published",
            "of",
            "vendors",
            "prefixes",
            "inference",
            "edge",
            "training",
            "endpoints",
        ) and not (isinstance(value, Sequence) and not isinstance(value, str)):
            raise VocabularyError(f"{place}: '{key}' of '{name_id}' must be a list.")
        if key == "aliases" and not all(isinstance(v, str) for v in value):
            raise VocabularyError(f"{place}: an alias of '{name_id}' is not text; put it in quotes.")
    if section == "hardware":
        if "kind" in entry and entry["kind"] not in _KINDS:
            raise VocabularyError(f"{place}: kind of '{name_id}' must be one of {', '.join(_KINDS)}.")
        match = entry.get("match")
        if match is not None:
            if not isinstance(match, Mapping) or not set(match) <= _MATCH_KEYS:
                raise VocabularyError(f"{place}: match of '{name_id}' takes {', '.join(sorted(_MATCH_KEYS))}.")
            for phrases in match.values():
                for phrase in phrases if isinstance(phrases, Sequence) else ():
                    _check_phrase(place, name_id, str(phrase))


def _check_phrase(place: str, name_id: str, phrase: str) -> None:
    if not phrase.startswith("re:"):
        return
    try:
        re.compile(phrase[3:])
    except re.error as error:
        raise VocabularyError(f"{place}: '{phrase}' of '{name_id}' is not a regular expression: {error}.") from error


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Sequence):
        return [_plain(v) for v in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)


def _merge(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{k: _merge(old.get(k), v) for k, v in new.items()}}
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *(v for v in new if v not in old)]
    return new


def _assemble(merged: dict[str, Any], language: Any, sources: dict[str, str]) -> dict[str, Any]:
    hardware: dict[str, Any] = merged["hardware"]
    _check_references(merged)
    spellings = _spellings(merged)
    index = {kind: _index(kind, names) for kind, names in spellings.items()}
    for entry in hardware.values():
        if "match" in entry:
            entry["match"] = {
                k: [prepared(p) for p in v] if k in ("accelerator", "system", "processor") else v
                for k, v in entry["match"].items()
            }
    groups = {k: {**e, "kind": "peer"} for k, e in merged["peer"].items()}
    groups |= {k: {**e, "kind": "architecture"} for k, e in merged["architecture"].items()}
    for entries in (merged["models"], hardware, merged["submitters"], groups, merged["units"], merged["suites"]):
        for entry in entries.values():
            for key in ("aliases", "by", "published", "prefix", "instinct", "plural"):
                entry.pop(key, None)
    return {
        "sources": sources,
        "models": merged["models"],
        "unit_profiles": merged["unit_profiles"],
        "unit_notes": merged["unit_notes"],
        "vendors": merged["vendors"],
        "hardware": hardware,
        "submitters": merged["submitters"],
        "joint": {normalise.key(k): v for k, v in merged["joint"].items()},
        "groups": groups,
        "units": merged["units"],
        "lower_is_better": merged["lower_is_better"],
        "suites": merged["suites"],
        "implied_by_scenario": merged["implied_by_scenario"],
        "implied_by_unit": merged["implied_by_unit"],
        "compatibility": {k.split(":")[1]: v for k, v in merged.items() if k.startswith("compatibility:")},
        "spellings": spellings,
        "index": index,
        "language": language,
        "lexicon": compile_lexicon(language, phrases_of(spellings)),
    }


def _check_references(merged: Mapping[str, Any]) -> None:
    hardware, submitters, vendors = merged["hardware"], merged["submitters"], merged["vendors"]

    def known(what: str, ids: Iterable[str], table: Mapping[str, Any], where: str) -> None:
        for one in ids:
            if one not in table:
                raise VocabularyError(f"{where}: '{one}' is not the id of a {what}. Add it, or correct the spelling.")

    for name_id, entry in hardware.items():
        place = f"hardware.yaml, '{name_id}'"
        for key in ("name", "kind"):
            if key not in entry:
                raise VocabularyError(f"{place}: '{key}' is missing.")
        known("hardware entry", entry.get("of", ()), hardware, place)
        known("hardware entry", entry.get("match", {}).get("is", ()), hardware, place)
        known("vendor", [entry["vendor"]] if "vendor" in entry else [], vendors, place)
    _check_no_circle(hardware)
    for name, parties in merged["joint"].items():
        known("submitter", parties, submitters, f"submitters.yaml, joint entry '{name}'")
    for name_id, entry in merged["peer"].items():
        known("submitter", entry.get("members", {}), submitters, f"groups.yaml, '{name_id}'")
    for name_id, entry in merged["architecture"].items():
        known("hardware entry", entry.get("hardware", ()), hardware, f"groups.yaml, '{name_id}'")
        known("vendor", entry.get("vendors", ()), vendors, f"groups.yaml, '{name_id}'")
    for name_id, entry in merged["models"].items():
        known(
            "unit profile",
            [entry["units"]] if "units" in entry else [],
            merged["unit_profiles"],
            f"models.yaml, '{name_id}'",
        )
        for number, suites in entry.get("rounds", {}).items():
            if suites not in ("D", "E", "DE"):
                raise VocabularyError(f"models.yaml, '{name_id}': round {number} must be D, E or DE.")
    for section in ("models", "submitters", "peer", "architecture", "suites"):
        for name_id, entry in merged[section].items():
            if "name" not in entry:
                raise VocabularyError(f"'{name_id}' of '{section}': 'name' is missing.")


def _check_no_circle(hardware: Mapping[str, Any]) -> None:
    done: set[str] = set()

    def visit(name_id: str, path: tuple[str, ...]) -> None:
        if name_id in path:
            raise VocabularyError(f"hardware.yaml: '{name_id}' contains itself ({' in '.join((*path, name_id))}).")
        if name_id not in done:
            for parent in hardware[name_id].get("of", ()):
                visit(parent, (*path, name_id))
            done.add(name_id)

    for name_id in hardware:
        visit(name_id, ())


def _spellings(merged: Mapping[str, Any]) -> dict[str, dict[str, list[str]]]:
    def listed(entries: Mapping[str, Any], *, ids: bool = True) -> dict[str, list[str]]:
        return {
            k: _unique([*([e["name"]] if "name" in e else []), *([k] if ids else []), *e.get("aliases", ())])
            for k, e in entries.items()
        }

    models = {k: _model_spellings(k, e) for k, e in merged["models"].items()}
    hardware = {k: _hardware_spellings(e, merged["vendors"]) for k, e in merged["hardware"].items()}
    submitters = {
        k: _unique([e["name"], *e.get("published", ()), *e.get("aliases", ()), k.replace("-", " ")])
        for k, e in merged["submitters"].items()
    }
    return {
        "model": models,
        "hardware": hardware,
        "submitter": submitters,
        "group": listed({**merged["peer"], **merged["architecture"]}, ids=False),
        "unit": listed(merged["units"]),
        "divisor": {k: _unique([k, *v]) for k, v in merged["divisors"].items()},
        "suite": listed(merged["suites"], ids=False),
        "scenario": {k: _unique([k, *v]) for k, v in merged["scenarios"].items()},
    }


def _model_spellings(model_id: str, entry: Mapping[str, Any]) -> list[str]:
    own = [entry["name"], model_id, *entry.get("aliases", ())]
    for maker in entry.get("by", ()):
        before = [f"{maker} ", f"{maker}'s "] if maker.isascii() else [maker, f"{maker}的"]
        own += [
            f"{b}{n}" for b in before for n in (entry["name"], *entry.get("aliases", ())) if not n.startswith(maker)
        ]
    return _unique(own)


def _hardware_spellings(entry: Mapping[str, Any], vendors: Mapping[str, Any]) -> list[str]:
    aliases = [*entry.get("aliases", ())]
    every = [entry["name"].split(" (")[0], *aliases]
    prefixes = vendors[entry["vendor"]]["prefixes"] if "vendor" in entry and entry.get("prefix", True) else []
    if entry.get("instinct"):
        prefixes = [*prefixes, "Instinct", *(f"{p} Instinct" for p in prefixes)]
    for alias in aliases:
        every += [
            f"{p} {alias}" if p.isascii() else f"{p}{alias}"
            for p in prefixes
            if not alias.startswith((*prefixes, "AMD"))
        ]
    # "eight B200s", "Blackwell GPUs"
    every += [
        f"{a}s"
        for a in every
        if entry.get("plural", True)
        and a.isascii()
        and (a.endswith(_PLURAL_ENDS) or (entry["kind"] == "accelerator" and re.search(r"\d[A-Za-z]?$", a)))
    ]
    return _unique(every)


def _unique(spellings: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(spellings))


def _index(kind: str, names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    form = normalise.group_key if kind == "group" else normalise.key
    index: dict[str, str] = {}
    for name_id, spellings in names.items():
        for spelling in spellings:
            key = form(spelling)
            owner = index.setdefault(key, name_id)
            if owner != name_id:
                raise VocabularyError(
                    f"'{spelling}' is a spelling of two names of kind {kind}: '{owner}' and '{name_id}'."
                )
    if kind == "group":
        for name_id in names:
            index.setdefault(form(name_id), name_id)
    return index
