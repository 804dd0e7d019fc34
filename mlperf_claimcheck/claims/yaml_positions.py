"""YAML as a tree of nodes with places, within limits.

The parser's events are read one by one, so that a limit stops a hostile file before it is held in memory, and no
step recurses. PyYAML's binding to libyaml reads 10,000 claims in a few hundredths of a second, some thirty times
faster than a parser in Python. (ruamel.yaml's own C parser is as fast but holds libyaml 0.1.7, which takes
`{url: https://…}` for an error.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from mlperf_claimcheck.claims.file_errors import ClaimFileError, quoted

MAX_NODES = 1_000_000
"""Values and keys of one file, each alias counted with all that it stands for."""
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A single value or key, as text."""

    value: str
    plain: bool
    """Written without quotes, so that `true`, `null` and numbers mean what YAML says; else it is text."""
    line: int
    column: int
    cut_by: str = ""
    """The comment that ends an unquoted text although it looks like a part of it (`We are #1 in …`)."""


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class MappingNode:
    """Keys and values in the file's order; a key may occur twice."""

    entries: tuple[tuple[ScalarNode, Node], ...]
    line: int
    column: int


Node = ScalarNode | SequenceNode | MappingNode

_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)"
    r"|\.(?:nan|NaN|NAN)"
)
_WORDS = {
    "": "null",
    "~": "null",
    "null": "null",
    "Null": "null",
    "NULL": "null",
    "true": "boolean",
    "True": "boolean",
    "TRUE": "boolean",
    "false": "boolean",
    "False": "boolean",
    "FALSE": "boolean",
}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_CUT = re.compile(r"[ \t]+(#\w[^\r\n]*)")
_SURROGATE = re.compile(r"\\(?:u|U0000)[dD][89a-fA-F]")
_UNICODE_BREAKS = "\x85\u2028\u2029"
_BREAK = re.compile(r"\r\n|\r|\n")
_TAGS = {
    "tag:yaml.org,2002:str": "scalar",
    "tag:yaml.org,2002:seq": "sequence",
    "tag:yaml.org,2002:map": "mapping",
}


def scalar_type(node: ScalarNode) -> str:
    """`null`, `boolean`, `number` or `text`, by YAML 1.2's core schema (`yes`, `on` and dates are text)."""
    if not node.plain:
        return "text"
    word = _WORDS.get(node.value)
    if word is not None:
        return word
    if node.value[0] in "+-.0123456789" and _NUMBER.fullmatch(node.value):
        return "number"
    return "text"


def place_of(text: str, index: int) -> tuple[int, int]:
    """Line and column (1-based) of an offset, as an editor counts them."""
    line, start = 1, 0
    for found in _BREAK.finditer(text, 0, index):
        if found.end() <= index:
            line += 1
            start = found.end()
    return line, index - start + 1


def parse_yaml(text: str, file: str) -> Node | None:
    """The only document of a YAML text; None if it holds nothing but comments.

    Raises `ClaimFileError` for what is no YAML, for a second document, a tag, an alias to itself, and beyond the
    limits.
    """
    index = _unfit(text)
    if index is not None:
        line, column = place_of(text, index)
        code = ord(text[index])
        what = "a NUL byte" if code == 0 else f"the control character U+{code:04X}"
        raise ClaimFileError(
            file, f"{what} cannot stand in a YAML file", line=line, column=column, hint="Remove it and save as UTF-8."
        )
    return _Builder(text, file).build()


def _unfit(text: str) -> int | None:
    """Offset of the first character that YAML does not allow."""
    # No single pattern: one that reaches beyond Latin-1 takes longer to compile than most files take to read.
    found = [match.start()] if (match := _CONTROL.search(text)) is not None else []
    if not text.isascii():
        found += [index for c in "\ufffe\uffff" if (index := text.find(c)) >= 0]
        try:
            text.encode()
        except UnicodeEncodeError as error:
            found.append(error.start)
    return min(found, default=None)


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    mapping: bool
    line: int
    column: int
    items: list[Node]
    anchor: str | None
    before: int
    height: int = 0


class _Builder:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.count = 0
        self.anchors: dict[str, tuple[Node, int, int]] = {}
        self.open_anchors: set[str] = set()
        # The parser also ends lines at three rare characters that editors do not count.
        self.recount = not text.isascii() and any(c in text for c in _UNICODE_BREAKS)
        self.look_for_cuts = _CUT.search(text) is not None
        # libyaml refuses half characters; the parser in Python lets them through.
        self.look_for_halves = _SURROGATE.search(text) is not None
        if self.recount:
            self.starts = [0, *(m.end() for m in _BREAK.finditer(text))]

    def place(self, mark: Any) -> tuple[int, int]:
        if not self.recount:
            return mark.line + 1, mark.column + 1
        from bisect import bisect_right

        line = bisect_right(self.starts, mark.index)
        return line, mark.index - self.starts[line - 1] + 1

    def error(self, mark: Any, message: str, hint: str = "") -> ClaimFileError:
        line, column = self.place(mark)
        return ClaimFileError(self.file, message, line=line, column=column, hint=hint)

    def build(self) -> Node | None:
        from yaml import MarkedYAMLError, YAMLError

        try:
            return self.tree()
        except MarkedYAMLError as error:
            raise self.syntax_error(error) from None
        except YAMLError as error:
            problem = str(getattr(error, "reason", None) or error).splitlines()[0]
            position = getattr(error, "position", None)
            line, column = place_of(self.text, position) if isinstance(position, int) else (None, None)
            raise ClaimFileError(self.file, f"not valid YAML: {problem}", line=line, column=column) from None

    def tree(self) -> Node | None:
        from yaml.events import (
            AliasEvent,
            DocumentStartEvent,
            MappingEndEvent,
            MappingStartEvent,
            ScalarEvent,
            SequenceEndEvent,
            SequenceStartEvent,
        )

        stack: list[_Open] = []
        root: Node | None = None
        documents = 0
        for event in _events(self.text):
            kind = type(event)
            node: Node
            height = 0
            if kind is ScalarEvent:
                self.count += 1
                line, column = self.place(event.start_mark)
                plain = not event.style and event.implicit[0]
                if event.tag is not None:
                    self.check_tag(event, "scalar")
                    plain = False
                if self.look_for_halves and any("\ud800" <= c <= "\udfff" for c in event.value):
                    raise self.error(
                        event.start_mark,
                        "an escape stands for half a character (U+D800 to U+DFFF)",
                        "Write the character itself.",
                    )
                cut = ""
                if self.look_for_cuts and plain:
                    found = _CUT.match(self.text, event.end_mark.index)
                    cut = found.group(1) if found is not None else ""
                node = ScalarNode(event.value, plain, line, column, cut)
                if event.anchor is not None:
                    self.anchors[event.anchor] = (node, 1, 0)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self.count += 1
                mapping = kind is MappingStartEvent
                if event.tag is not None:
                    self.check_tag(event, "mapping" if mapping else "sequence")
                line, column = self.place(event.start_mark)
                if len(stack) >= MAX_DEPTH:
                    raise self.too_deep(event.start_mark)
                anchor = event.anchor
                if anchor is not None:
                    self.open_anchors.add(anchor)
                    self.anchors.pop(anchor, None)
                stack.append(_Open(mapping, line, column, [], anchor, self.count - 1))
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                ended = stack.pop()
                node = self.close(ended)
                height = ended.height + 1
                if ended.anchor is not None:
                    self.open_anchors.discard(ended.anchor)
                    self.anchors[ended.anchor] = (node, self.count - ended.before, height)
            elif kind is AliasEvent:
                node, height = self.alias(event, len(stack))
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise self.error(
                        event.start_mark,
                        "a second YAML document begins here; a claim file holds one",
                        "Remove the line of dashes, or write two files.",
                    )
                continue
            else:
                continue
            if self.count > MAX_NODES:
                raise self.error(
                    event.start_mark,
                    f"the file holds more than {MAX_NODES:,} values, aliases counted in full",
                    "Split it into several files, and write repeated parts under defaults.",
                )
            if stack:
                parent = stack[-1]
                parent.items.append(node)
                if height > parent.height:
                    parent.height = height
            else:
                root = node
        return root

    def close(self, ended: _Open) -> Node:
        items = ended.items
        if not ended.mapping:
            return SequenceNode(tuple(items), ended.line, ended.column)
        entries: list[tuple[ScalarNode, Node]] = []
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, ScalarNode):
                raise ClaimFileError(
                    self.file,
                    "a list or mapping stands where a key (one word) was expected",
                    line=key.line,
                    column=key.column,
                    hint="Put text that begins with [ or { in quotes.",
                )
            entries.append((key, value))
        return MappingNode(tuple(entries), ended.line, ended.column)

    def alias(self, event: Any, depth: int) -> tuple[Node, int]:
        name = event.anchor
        if name in self.open_anchors:
            raise self.error(
                event.start_mark,
                f"the alias *{name} stands inside of what it refers to",
                "Write that part out.",
            )
        known = self.anchors.get(name)
        if known is None:
            raise self.error(
                event.start_mark,
                f"the alias *{name} has no anchor &{name} above it",
                "Put text that begins with * in quotes.",
            )
        node, size, height = known
        self.count += size
        if depth + height > MAX_DEPTH:
            raise self.too_deep(event.start_mark)
        line, column = self.place(event.start_mark)
        return replace(node, line=line, column=column), height

    def too_deep(self, mark: Any) -> ClaimFileError:
        return self.error(mark, f"lists and mappings are nested more than {MAX_DEPTH} deep", "A claim file needs four.")

    def check_tag(self, event: Any, kind: str) -> None:
        tag = event.tag if isinstance(event.tag, str) else str(event.tag)
        if tag != "!" and _TAGS.get(tag) != kind:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            raise self.error(
                event.start_mark,
                f"the tag {quoted(shown)} is not used in claim files",
                "Remove it, or put text that begins with ! in quotes.",
            )

    def syntax_error(self, error: Any) -> ClaimFileError:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context or error).strip().rstrip(".")
        if mark is None:
            return ClaimFileError(self.file, f"not valid YAML: {problem}")
        if "maximum nesting" in problem:
            return self.too_deep(mark)
        if "end of stream" in problem and error.context_mark is not None:
            # Where the quotation begins says more than where the file ends.
            mark = error.context_mark
        line, column = self.place(mark)
        lines = _BREAK.split(self.text)
        here = lines[line - 1] if line <= len(lines) else ""
        indent = here[: len(here) - len(here.lstrip(" \t"))]
        if "\t" in indent:
            return ClaimFileError(
                self.file,
                "a tab is used to indent; YAML allows spaces only",
                line=line,
                column=indent.index("\t") + 1,
                hint="Replace it by spaces.",
            )
        context = str(error.context or "").strip()
        where = f" {context}" if context and context not in problem else ""
        if where and error.context_mark is not None:
            where += f" (line {self.place(error.context_mark)[0]})"
        return ClaimFileError(
            self.file,
            f"not valid YAML: {problem}{where}",
            line=line,
            column=column,
            hint=_advice(problem, here, column),
        )


def _advice(problem: str, line: str, column: int) -> str:
    if "mapping values are not allowed" in problem:
        return 'Put text that holds a colon followed by a space in quotes: - "Offline: 16,635 tokens/s".'
    if "cannot start any token" in problem:
        return f"Put text that begins with {line[column - 1 : column] or 'such a sign'} in quotes."
    if "unexpected end of stream" in problem or "quoted scalar" in problem:
        return "A quotation mark is opened and not closed."
    if "escape" in problem:
        return "In double quotes a backslash begins an escape; use single quotes, or write two backslashes."
    if "',' or" in problem:
        return "A bracket is opened and not closed, or text with a comma or quotation mark in it lacks quotes."
    if "expected key" in problem or "block end" in problem or "block entry" in problem or "'-'" in problem:
        return "Lines that belong together must be indented alike, and text with quotation marks in it needs quotes."
    if "expected alphabetic or numeric" in problem:
        return "Put text that begins with * or & in quotes."
    if "could not find expected ':'" in problem:
        return "A key is followed by a colon and a space."
    return "Check the indentation and the quotes of this line and the one before."


def _events(text: str) -> Iterator[Any]:
    import yaml

    # The events are the same without the C part, only slower.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return iter(yaml.parse(text, Loader=loader))
