"""No regular expression of the package takes long on any text: each is tried on texts made from its own parts.

Every repetition in a pattern is pumped: what leads to it, then what it repeats, thousands of times, then what cannot
match. That is how a backtracking matcher is brought to try all ways of splitting a text.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser
from typing import Any

import pytest
import yaml

import mlperf_claimcheck

ROOT = Path(mlperf_claimcheck.__file__).parent
FUNCTIONS = {"compile", "match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split"}
SIZE = 10_000
SECONDS = 1.0


def written(module: Any, path: Path) -> Iterator[tuple[str, Any, int, str]]:
    """The patterns that a module's source hands to `re`, with place, flags and function; those made of local names are left out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in FUNCTIONS
        ):
            continue
        place = f"{path.relative_to(ROOT)}:{node.lineno}"

        def value(expression: ast.expr) -> Any:
            return eval(compile(ast.Expression(expression), "<pattern>", "eval"), vars(module))

        try:
            pattern = value(node.args[0])
        except NameError:
            continue
        given = [k.value for k in node.keywords if k.arg == "flags"]
        if node.func.attr == "compile" and len(node.args) > 1:
            given.append(node.args[1])
        if not isinstance(pattern, re.Pattern):
            yield place, pattern, int(value(given[0])) if given else 0, node.func.attr


SOURCES = "\n".join(p.read_text("utf-8") for p in sorted(ROOT.rglob("*.py")))
ANCHORED = {"match", "fullmatch"}


def used_as(name: str, module: Path) -> set[str]:
    """The methods that are called on the pattern of this name: one that is only matched at a place is not searched."""
    sources = module.read_text("utf-8") if name.startswith("_") else SOURCES
    return set(re.findall(rf"\b{re.escape(name)}\.(match|fullmatch|search|sub|subn|findall|finditer|split)\b", sources))


def patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """Place, pattern, and whether it is searched for at every place of a text."""
    for info in pkgutil.walk_packages([str(ROOT)], "mlperf_claimcheck."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for place, pattern, flags, method in written(module, Path(str(module.__file__))):
            if method != "compile":
                yield place, re.compile(pattern, flags), method not in ANCHORED
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                methods = used_as(name, Path(str(module.__file__)))
                yield f"{info.name}.{name}", value, not methods or bool(methods - ANCHORED)
    for path in sorted(ROOT.rglob("*.yaml")):
        waiting = [yaml.safe_load(path.read_text("utf-8"))]
        while waiting:
            found = waiting.pop()
            if isinstance(found, dict):
                waiting += [*found, *found.values()]
            elif isinstance(found, list):
                waiting += found
            elif isinstance(found, str) and found.startswith("re:"):
                yield f"{path.name}: {found[:40]}", re.compile(found[3:], re.IGNORECASE), True


ALL: dict[tuple[Any, int], tuple[str, re.Pattern[Any], bool]] = {}
for _place, _pattern, _searched in patterns():
    _key = (_pattern.pattern, _pattern.flags)
    ALL[_key] = (_place, _pattern, _searched or (_key in ALL and ALL[_key][2]))


def sample(parsed: Any) -> str:
    """A text that the parsed pattern matches, or nearly: lookarounds are left out."""
    out = []
    for operation, argument in parsed:
        if operation is constants.LITERAL:
            out.append(chr(argument))
        elif operation is constants.NOT_LITERAL:
            out.append("a" if argument != ord("a") else "b")
        elif operation is constants.ANY:
            out.append("a")
        elif operation is constants.IN:
            out.append(one_of(argument))
        elif operation is constants.BRANCH:
            out.append(sample(argument[1][0]))
        elif operation is constants.SUBPATTERN:
            out.append(sample(argument[3]))
        elif operation is constants.ATOMIC_GROUP:
            out.append(sample(argument))
        elif operation in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            out.append(sample(argument[2]) * min(max(argument[0], 1), 50))
    return "".join(out)


CLASSES = {
    constants.CATEGORY_DIGIT: "1", constants.CATEGORY_NOT_DIGIT: "a", constants.CATEGORY_SPACE: " ",
    constants.CATEGORY_NOT_SPACE: "a", constants.CATEGORY_WORD: "a", constants.CATEGORY_NOT_WORD: "-",
}  # fmt: skip


def one_of(members: Any) -> str:
    if members[0][0] is constants.NEGATE:
        accepted = re.compile("".join(("[^", *(written_member(m) for m in members[1:]), "]")))
        return next(c for c in "a1 -.,<é" + "".join(map(chr, range(33, 500))) if accepted.match(c))
    operation, argument = members[0]
    if operation is constants.CATEGORY:
        return CLASSES[argument]
    return chr(argument if operation is constants.LITERAL else argument[0])


def written_member(member: Any) -> str:
    operation, argument = member
    if operation is constants.LITERAL:
        return re.escape(chr(argument))
    if operation is constants.RANGE:
        return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
    names = {"DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W"}
    return names[str(argument).removeprefix("CATEGORY_")]


def alternatives(members: Any) -> list[str]:
    """Every kind of character of a class, for a class that is repeated."""
    if members[0][0] is constants.NEGATE:
        return [one_of(members), " ", "\n", "<"]
    return [one_of([m]) for m in members][:8]


def pumped(parsed: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What leads to each repetition, and what it repeats."""
    for index, (operation, argument) in enumerate(parsed):
        lead = before + sample(parsed[:index])
        if operation in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            body = argument[2]
            yield lead, sample(body) or "a"
            if len(body) == 1 and body[0][0] is constants.IN:
                for piece in alternatives(body[0][1]):
                    yield lead, piece
            if len(body) == 1 and body[0][0] is constants.SUBPATTERN:
                inner = body[0][1][3]
                if len(inner) == 1 and inner[0][0] is constants.BRANCH:
                    for branch in inner[0][1][1]:
                        yield lead, sample(branch) or "a"
            yield from pumped(body, lead)
        elif operation is constants.BRANCH:
            for branch in argument[1]:
                yield from pumped(branch, lead)
        elif operation is constants.SUBPATTERN:
            yield from pumped(argument[3], lead)
        elif operation in (constants.ASSERT, constants.ASSERT_NOT):
            yield from pumped(argument[1], lead)


GENERAL = (
    " ",
    "a",
    "1",
    "a ",
    "1,",
    "1.",
    "a.",
    "A-",
    "\n",
    " \n",
    "<!---->",
    "<",
    "-",
    "a-1",
    "1x",
    "a@",
    "[",
    "MLPerf ",
    "\t a",
)


def texts(pattern: re.Pattern[Any], size: int) -> list[str]:
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = parser.parse(source, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    pairs = {("", g) for g in GENERAL} | set(pumped(parsed))
    made = []
    for lead, piece in sorted(pairs):
        made.append(lead + piece * max(1, (size - len(lead)) // len(piece)) + "\0")
        # What leads there may be what costs, if it is tried at every place.
        if lead:
            made.append((lead + piece) * max(1, size // len(lead + piece)) + "\0")
    return made


class TooSlow(Exception):
    pass


def time_of(pattern: re.Pattern[Any], text: str, searched: bool) -> float:
    def stop(*_: object) -> None:
        raise TooSlow

    given = text.encode("utf-8") if isinstance(pattern.pattern, bytes) else text
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 1.5 * SECONDS)
    start = time.process_time()
    try:
        if searched:
            for _ in pattern.finditer(given):
                pass
        pattern.match(given)
        pattern.fullmatch(given)
    except TooSlow:
        return 99.0
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - start


def slow_texts(pattern: re.Pattern[Any], searched: bool = True) -> list[tuple[float, str]]:
    """Texts of 10,000 characters that take more than a second, with the time. Those of a thousand are tried first: where
    they take less than a hundredth of that, time that grows with the square stays below it."""
    slow = []
    for short, long in zip(texts(pattern, SIZE // 10), texts(pattern, SIZE), strict=True):
        if time_of(pattern, short, searched) > SECONDS / 100:
            took = time_of(pattern, long, searched)
            if took > SECONDS:
                slow.append((took, long[:80]))
    return slow


def test_the_patterns_are_found() -> None:
    assert len(ALL) > 120


@pytest.mark.parametrize("source", [r"(a+)+$", r"(?:<!--.*?-->\s*)*<p", r"(\w|\d)*!", r"(?:a|a)*b"])
def test_a_catastrophic_pattern_is_caught(source: str) -> None:
    assert slow_texts(re.compile(source, re.DOTALL))


@pytest.mark.parametrize("key", ALL, ids=lambda k: ALL[k][0])
def test_no_text_makes_it_slow(key: tuple[Any, int]) -> None:
    place, pattern, searched = ALL[key]
    slow = slow_texts(pattern, searched)
    assert not slow, f"{place}: {pattern.pattern!r}"
