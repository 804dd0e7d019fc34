"""The vocabulary: every known name, and what a spelling stands for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from mlperf_claimcheck.vocabulary import normalise
from mlperf_claimcheck.vocabulary.lexicon import Lexicon, load_lexicon, phrases_of
from mlperf_claimcheck.vocabulary.matching import HardwareMatcher, Row, is_cpu_only
from mlperf_claimcheck.vocabulary.model import (
    Group,
    Hardware,
    Model,
    Submitter,
    Suite,
    Unit,
    VocabularyError,
    round_number,
)

DATA_FOLDER = Path(__file__).parent / "data"
COMPILED = DATA_FOLDER / "compiled.json"

_SUGGESTIONS_KEPT = 4096
"""Comparing a word with all names takes milliseconds, and the same unknown words come again and again in one file."""

_JOINTS = re.compile(r"\s{0,50}(?:_|\+|&|\band\b|/)\s*", re.IGNORECASE)


class Vocabulary:
    """All names. Made by `load_vocabulary`; never changes after that, so that answers may be kept."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._index: Mapping[str, Mapping[str, str]] = data["index"]
        spellings: Mapping[str, Mapping[str, list[str]]] = data["spellings"]
        self._spellings = spellings

        def spelled(kind: str, name_id: str) -> tuple[str, ...]:
            return tuple(spellings[kind].get(name_id, ()))

        suites_of = {"D": ("datacenter",), "E": ("edge",), "DE": ("datacenter", "edge")}
        self.models: Mapping[str, Model] = {
            k: Model(
                k,
                e["name"],
                tuple(e.get("inference", ())),
                tuple(e.get("edge", ())),
                {s: tuple(e[s]) for s in ("training", "endpoints") if s in e},
                tuple(s for s in ("inference", "training", "endpoints") if s in e),
                {r: suites_of[v] for r, v in e.get("rounds", {}).items()},
                spelled("model", k),
                e.get("note"),
            )
            for k, e in data["models"].items()
        }
        self.hardware: Mapping[str, Hardware] = {
            k: Hardware(
                k, e["name"], e["kind"], e.get("vendor"), tuple(e.get("of", ())), e.get("rack"), spelled("hardware", k)
            )
            for k, e in data["hardware"].items()
        }
        self.submitters: Mapping[str, Submitter] = {
            k: Submitter(k, e["name"], spelled("submitter", k)) for k, e in data["submitters"].items()
        }
        self.groups: Mapping[str, Group] = {
            k: Group(
                k,
                e["name"],
                e["kind"],
                e.get("members", {}),
                e.get("date"),
                tuple(e.get("vendors", ())),
                tuple(e.get("hardware", ())),
                e.get("min_nodes"),
                e.get("max_nodes"),
                e.get("min_accelerators"),
                e.get("max_accelerators"),
                e.get("cpu_only", False),
                e.get("accelerated", False),
                spelled("group", k),
            )
            for k, e in data["groups"].items()
        }
        lower = frozenset(data["lower_is_better"])
        self.units: Mapping[str, Unit] = {
            k: Unit(k, e.get("kind", "rate"), k in lower, spelled("unit", k)) for k, e in data["units"].items()
        }
        self.suites: Mapping[str, Suite] = {
            k: Suite(k, e["name"], e["rounds"], spelled("suite", k)) for k, e in data["suites"].items()
        }
        self.vendors: Mapping[str, str] = {k: e["name"] for k, e in data["vendors"].items()}
        self.language: Mapping[str, Any] = data.get("language", {})
        """The words that are no names (`language.yaml`)."""
        self.lexicon: Lexicon = load_lexicon(data["lexicon"], self.language)
        """All phrases, for finding them in a running text."""
        self.compatibility: Mapping[str, Any] = data["compatibility"]
        """The table of comparable rounds; ask it through `vocabulary.compatibility.comparable`."""
        self._lower = lower
        self._matcher = HardwareMatcher(data["hardware"])
        self._suggested: dict[tuple[str | None, str, int], tuple[str, ...]] = {}
        self.remembered: dict[tuple[str, str], tuple[str, ...]] = {}
        """What names in fields stood for, kept by those who looked them up."""
        self._unit_entries: dict[tuple[str, str, str], Mapping[str, Any] | None] = {}
        self._parties: dict[str, tuple[str, ...]] = {}
        self._published: dict[str, str] = {}
        self._benchmarks: dict[str, Model] = {}
        for model in self.models.values():
            for benchmark in (*model.ids, *model.edge_ids):
                known = self._benchmarks.get(benchmark)
                if known is None or len(model.ids) < len(known.ids) or model.id == benchmark:
                    self._benchmarks[benchmark] = model
        self._others = {
            name: model for model in self.models.values() for ids in model.other_ids.values() for name in ids
        }

    # ----- names -----

    def phrases(self) -> Iterable[tuple[str, str, str]]:
        """All spellings as (kind, id, spelling). One spelling may belong to several kinds ("Intel")."""
        return phrases_of(self._spellings)

    def _find(self, kind: str, text: str) -> str | None:
        return self._index[kind].get(normalise.key(text))

    def find_model(self, text: str) -> Model | None:
        """The model of that name (any spelling, or its id), or None."""
        found = self._find("model", text)
        return None if found is None else self.models[found]

    def find_hardware(self, text: str) -> Hardware | None:
        """The hardware of that name, or None."""
        found = self._find("hardware", text)
        return None if found is None else self.hardware[found]

    def find_submitter(self, text: str) -> Submitter | None:
        """The organization of that name, or None (also for a joint entry, see `find_submitters`)."""
        found = self._find("submitter", text)
        return None if found is None else self.submitters[found]

    def find_submitters(self, text: str) -> tuple[Submitter, ...]:
        """The organizations of a name that may be a joint entry ("Dell_MangoBoost"); () if it is not known."""
        one = self.find_submitter(text)
        if one is not None:
            return (one,)
        return tuple(self.submitters[p] for p in self._split(text))

    def find_group(self, text: str) -> Group | None:
        """The bundled group of that name (singular or plural), or None."""
        found = self._index["group"].get(normalise.group_key(text))
        return None if found is None else self.groups[found]

    def find_scenario(self, text: str) -> str | None:
        """The scenario of that name (`Offline`, `Server`, `Interactive`, `SingleStream`, `MultiStream`), or None."""
        return self._find("scenario", text)

    def find_unit(self, text: str) -> Unit | None:
        """The unit of that name, or None."""
        found = self._find("unit", text)
        return None if found is None else self.units[found]

    def find_divisor(self, text: str) -> str | None:
        """What a figure is divided by, for the noun behind "per": `accelerator`, `node`, `system`, `watt`, `user` …"""
        return self._find("divisor", text)

    def find_suite(self, text: str) -> Suite | None:
        """The suite of that name (`inference`, `training` …), or None."""
        found = self._find("suite", text)
        return None if found is None else self.suites[found]

    def suggest(self, kind: str | None, text: str, limit: int = 3) -> tuple[str, ...]:
        """The known names nearest to a text, best first; () if none is near."""
        asked = (kind, text, limit)
        found = self._suggested.get(asked)
        if found is None:
            if len(self._suggested) >= _SUGGESTIONS_KEPT:
                self._suggested.clear()
            found = self._suggested[asked] = self._suggest(kind, text, limit)
        return found

    def _suggest(self, kind: str | None, text: str, limit: int) -> tuple[str, ...]:
        from rapidfuzz import fuzz, process

        kinds = ("model", "hardware", "submitter", "group", "unit", "suite") if kind is None else (kind,)
        wanted = normalise.key(text)[:100]
        if not wanted:
            return ()
        best: dict[str, float] = {}
        for one in kinds:
            index = self._index.get(one, {})
            found = process.extract(wanted, list(index), scorer=fuzz.ratio, score_cutoff=60, limit=6 * limit)
            for near, score, _ in found:
                name = self._name(one, index[near])
                best[name] = max(score, best.get(name, 0.0))
        return tuple(sorted(best, key=lambda name: -best[name])[:limit])

    def _name(self, kind: str, name_id: str) -> str:
        tables: Mapping[str, Mapping[str, Any]] = {
            "model": self.models,
            "hardware": self.hardware,
            "submitter": self.submitters,
            "group": self.groups,
            "suite": self.suites,
        }
        return str(tables[kind][name_id].name) if kind in tables else name_id

    def model_display(self, benchmark_id: str) -> str:
        """How reports write a benchmark id; an unknown id is given back."""
        model = self._benchmarks.get(benchmark_id) or self.models.get(benchmark_id) or self._others.get(benchmark_id)
        return benchmark_id if model is None else model.name

    def hardware_display(self, hardware_id: str) -> str:
        """How reports write a hardware id; an unknown id is given back."""
        found = self.hardware.get(hardware_id)
        return hardware_id if found is None else found.name

    # ----- hardware of a row -----

    def classify(self, row: Row) -> frozenset[str]:
        """All hardware ids that a published row stands for."""
        return self._matcher.classify(row)

    def hardware_matches(self, hardware_id: str, row: Row) -> bool:
        """Whether a published row is one of that accelerator, product, family or processor."""
        return hardware_id in self._matcher.classify(row)

    def hardware_within(self, hardware_id: str, family_id: str) -> bool:
        """Whether a hardware id is a family's member (or that id itself): GB300 NVL72 within Blackwell."""
        return family_id in self._matcher.ancestors(hardware_id)

    def narrowest(self, hardware_ids: Iterable[str]) -> tuple[str, ...]:
        """The ids without those that contain another one: "Blackwell Ultra GB300 NVL72" speaks of GB300 NVL72."""
        ids = tuple(dict.fromkeys(hardware_ids))
        return tuple(h for h in ids if not any(o != h and self.hardware_within(o, h) for o in ids))

    def vendors_of(self, row: Row) -> frozenset[str]:
        """Vendors of a row's accelerators; of its processor where it has no accelerator."""
        found = (self.hardware[h].vendor for h in self.classify(row))
        return frozenset(v for v in found if v is not None)

    # ----- submitters of a row -----

    def _split(self, published: str) -> tuple[str, ...]:
        joint = self._data["joint"].get(normalise.key(published))
        if joint is not None:
            return tuple(joint)
        pieces = [p for p in _JOINTS.split(published) if p]
        if len(pieces) < 2:
            return ()
        known = [self._find("submitter", p) for p in pieces]
        return tuple(dict.fromkeys(k for k in known if k)) if all(known) else ()

    def parties(self, published: str) -> tuple[str, ...]:
        """Submitter ids of a published name: one, or the parties of a joint entry.

        A name that no file lists is one organization with an id made from the name.
        """
        known = self._parties.get(published)
        if known is None:
            one = self._find("submitter", published)
            known = (one,) if one is not None else self._split(published)
            if not known:
                own = normalise.slug(published)
                self._published.setdefault(own, published.replace("_", " ").strip())
                known = (own,)
            self._parties[published] = known
        return known

    def is_joint(self, published: str) -> bool:
        """Whether a published name is a joint entry of several organizations."""
        return len(self.parties(published)) > 1

    def submitter_display(self, submitter_id: str) -> str:
        """How reports write a submitter id."""
        found = self.submitters.get(submitter_id)
        return found.name if found is not None else self._published.get(submitter_id, submitter_id)

    # ----- groups -----

    def file_group(
        self, group: str, groups_from_file: Mapping[str, tuple[str, ...]]
    ) -> tuple[str, tuple[str, ...]] | None:
        """The claim file's own group for a group's id or name: its name there and its members; None if it has none."""
        if not groups_from_file:
            return None
        wanted = normalise.group_key(group)
        for name, members in groups_from_file.items():
            if normalise.group_key(name) == wanted:
                return name, members
        bundled = self.groups.get(group) or self.find_group(group)
        if bundled is not None:
            for name, members in groups_from_file.items():
                if self.find_group(name) is bundled:
                    return name, members
        return None

    def group_known(self, group: str, groups_from_file: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether a group's id or name is known to the claim file or to the bundled list."""
        return (
            group in self.groups or self.file_group(group, groups_from_file) is not None or bool(self.find_group(group))
        )

    def group_matches(self, group_id: str, row: Row, groups_from_file: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether a published row is within a group; a claim file's group wins over a bundled one of that name.

        A joint entry is within a peer group if one of its parties is a member. False for an unknown group: ask
        `group_known` first.
        """
        own = self.file_group(group_id, groups_from_file)
        if own is not None:
            return not self._member_ids(own[1]).isdisjoint(self.parties(row.submitter))
        group = self.groups.get(group_id) or self.find_group(group_id)
        if group is None:
            return False
        if group.kind == "peer":
            return any(p in group.members for p in self.parties(row.submitter))
        return self._architecture_holds(group, row)

    def _member_ids(self, members: Iterable[str]) -> frozenset[str]:
        """Ids of a claim file's members, which may stand as ids or as names."""
        ids: set[str] = set()
        for member in members:
            ids.add(member)
            ids.update(self.parties(member))
        return frozenset(ids)

    def _architecture_holds(self, group: Group, row: Row) -> bool:
        cpu_only = is_cpu_only(row)
        if (group.cpu_only and not cpu_only) or (group.accelerated and cpu_only):
            return False
        if group.vendors and self.vendors_of(row).isdisjoint(group.vendors):
            return False
        if group.hardware and self.classify(row).isdisjoint(group.hardware):
            return False
        return _within(row.nodes, group.min_nodes, group.max_nodes) and _within(
            row.accelerators, group.min_accelerators, group.max_accelerators
        )

    # ----- units -----

    def true_units(self, model_id: str, scenario: str, round_id: str) -> tuple[str | None, str | None]:
        """The unit label that a round's table gives a benchmark's results, and the true unit where the label is wrong.

        (None, None) where the benchmark has no such scenario, or is not known. The model may be a benchmark id or the
        id of a generic name.
        """
        entry = self._unit_entry(model_id, scenario, round_id)
        if entry is not None:
            return entry["label"], entry.get("true")
        model = self._benchmarks.get(model_id) or self.models.get(model_id)
        if model is None:
            return None, None
        profile = self._data["models"][model.id].get("units")
        label = self._data["unit_profiles"].get(profile, {}).get(scenario)
        return label, None

    def unit_note(self, model_id: str, scenario: str, round_id: str) -> str | None:
        """What there is to say of the unit of a benchmark's results in a round, or None."""
        entry = self._unit_entry(model_id, scenario, round_id)
        return None if entry is None else entry.get("note")

    def _unit_entry(self, model_id: str, scenario: str, round_id: str) -> Mapping[str, Any] | None:
        key = (model_id, scenario, round_id)
        if key not in self._unit_entries:
            self._unit_entries[key] = self._find_unit_entry(*key)
        return self._unit_entries[key]

    def _find_unit_entry(self, model_id: str, scenario: str, round_id: str) -> Mapping[str, Any] | None:
        model = self.models.get(model_id)
        ids = {model_id, *(model.ids if model is not None else ())}
        number = round_number(round_id)
        for entry in self._data["unit_notes"]:
            if ids.isdisjoint(entry["models"]) or scenario not in entry["scenarios"]:
                continue
            if "rounds" not in entry or number in entry["rounds"]:
                found: Mapping[str, Any] = entry
                return found
        return None

    def lower_is_better(self, unit: str) -> bool:
        """Whether less of a unit is the better result (times, energy, power). A divisor behind the unit is ignored."""
        return unit in self._lower or (unit.split("/")[0] in self._lower and "/s" not in unit)

    # ----- suites -----

    def implied_suites(
        self, *, model: str | None = None, scenario: str | None = None, unit: str | None = None
    ) -> tuple[str, ...]:
        """Suites that a claim may speak of which names none, by what it does name; () if nothing tells."""
        sets: list[tuple[str, ...]] = []
        if model is not None and model in self.models:
            sets.append(self.models[model].suites)
        if scenario is not None:
            sets.append(tuple(self._data["implied_by_scenario"].get(scenario, ())))
        if unit is not None:
            sets.append(tuple(self._data["implied_by_unit"].get(unit, ())))
        sets = [s for s in sets if s]
        if not sets:
            return ()
        return tuple(s for s in sets[0] if all(s in other for other in sets[1:]))


def _within(count: int | None, least: int | None, most: int | None) -> bool:
    if least is None and most is None:
        return True
    if count is None:
        return False
    return (least is None or count >= least) and (most is None or count <= most)


def load_vocabulary(extra_dirs: Iterable[str | Path] = ()) -> Vocabulary:
    """The bundled names, and those of further folders with files of the same names (kept for the whole process).

    Raises VocabularyError if a file cannot be read or is not valid.
    """
    return _load(tuple(str(d) for d in extra_dirs))


@lru_cache(maxsize=8)
def _load(extra_dirs: tuple[str, ...]) -> Vocabulary:
    if extra_dirs:
        from mlperf_claimcheck.vocabulary.compiler import compile_vocabulary

        return Vocabulary(compile_vocabulary([DATA_FOLDER, *map(Path, extra_dirs)]))
    try:
        data = json.loads(COMPILED.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise VocabularyError(
            f"{COMPILED}: the file of names cannot be read ({error}). Reinstall mlperf-claimcheck, or in a "
            "checkout run 'python -m mlperf_claimcheck.vocabulary.build'."
        ) from error
    return Vocabulary(data)
