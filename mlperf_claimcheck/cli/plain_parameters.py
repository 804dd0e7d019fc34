"""Commands whose plain text parameters are taken as they are.

Some versions of typer build a pydantic validator for every parameter of a command, given or not, and load all of
pydantic for it: more time than reading and checking twenty claims takes. Text and lists of text need none. Whatever
else is given (paths, numbers) is left to typer, and so is everything where typer works in another way.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class _Plain:
    """Stands in for a parameter's validator until one is needed."""

    def __init__(self, annotation: Any) -> None:
        self._annotation = annotation

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if many and self._annotation == list[str] and _texts(value):
            return list(value)
        # Text, or a default that is of the kind already.
        if not many and type(value) is self._annotation:
            return value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _made_plain(params: list[Any]) -> list[Any]:
    for param in params:
        # Only where typer keeps its validators as it does in the version that this was written for.
        if getattr(param, "_runtime_param", False) is None and hasattr(param, "get_runtime_param"):
            annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
            param._runtime_param = _Plain(annotation)
    return params


class PlainCommand(TyperCommand):
    """A command that asks typer for a validator only where a parameter needs one."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The command's parameters and its `--help`."""
        return _made_plain(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """The same for the program's own options."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The program's parameters and its `--help`."""
        return _made_plain(super().get_params(ctx))
