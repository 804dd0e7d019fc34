"""Claims given field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import (
    Amount,
    ArithmeticAssertion,
    Assertion,
    ChangeAssertion,
    ChangeForm,
    Countable,
    CountAssertion,
    CoverageAssertion,
    ExtentAssertion,
    Per,
    ScalingAssertion,
    Selection,
    StatusAssertion,
    SumAssertion,
    SuperlativeAssertion,
    SuperlativeKind,
    Term,
    ValueAssertion,
)
from mlperf_claimcheck.claims.reader.base import (
    COUNTED,
    NotUnderstoodError,
    Slots,
    as_good,
    not_understood,
    printed_count,
)
from mlperf_claimcheck.claims.reader.places import PlaceReading
from mlperf_claimcheck.claims.reader.training import (
    without_chips,
)
from mlperf_claimcheck.metrics.number import Relation

if TYPE_CHECKING:
    pass

_RECORDS = frozenset({"highest", "lowest", "top", "only", "first"})


class FieldReading(PlaceReading):
    """A claim without text: the field `kind` says what it claims."""

    def _from_fields(self) -> Assertion:
        """A claim given field by field."""
        kind = str(self.field("kind") or ("change" if isinstance(self.field("baseline"), Mapping) else "value"))
        build = {
            "value": self._value_from_fields,
            "change": self._change_from_fields,
            "count": self._count_from_fields,
            "submitted": self._coverage_from_fields,
            "not-submitted": self._coverage_from_fields,
            "extent": self._extent_from_fields,
            "status": self._status_from_fields,
            "scaling": self._scaling_from_fields,
            "sum": self._sum_from_fields,
            "arithmetic": self._arithmetic_from_fields,
        }.get(kind, self._superlative_from_fields if kind in _RECORDS else None)
        if build is None:
            raise self._no_field_form(kind)
        # Words that stand beside the fields and that no other reading took must not be passed over.
        if self.items:
            raise self._leftover(self.items)
        return build(kind, self.selection(Slots()))

    def _no_field_form(self, kind: str) -> NotUnderstoodError:
        return not_understood(
            f"Claims of the kind “{kind}” are not supported in this form.", [kind], code="kind-not-supported"
        )

    def _amount_from_fields(self) -> Amount | None:
        """`value` with its `relation` and `upper`."""
        value = self._use("value")
        if value is None:
            return None
        amount = self._amount_of(str(value))
        relation, upper = self._use("relation"), self._use("upper")
        if relation:
            amount = replace(amount, relation=Relation(str(relation)))
        if upper is not None:
            amount = replace(amount, upper=self._amount_of(str(upper)).number)
        return amount

    def _measure_from_fields(self) -> tuple[str | None, Per | None]:
        """`unit` and `per`; the unit may bring its divisor."""
        unit, per = None, None
        text = self._use("unit")
        if text is not None and self.training:
            text, self.chip_time = without_chips(str(text))
        if text is not None:
            unit, per = self._unit_of(str(text))
        divisor = self._use("per")
        return unit, Per(str(divisor)) if divisor else per

    def _value_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount = self._amount_from_fields()
        if amount is None:
            raise not_understood("The claim has no value.")
        unit, per = self._measure_from_fields()
        return ValueAssertion(selection, amount, unit, per or Per.SYSTEM, per is not None)

    def _change_from_fields(self, kind: str, selection: Selection) -> Assertion:
        extra, value = self._use("baseline"), self.field("value")
        amount = self._amount_from_fields()
        if not isinstance(extra, Mapping) or value is None:
            raise not_understood("A change needs a value and a baseline.")
        values, stated = self._restrictions("baseline", extra)
        unit = str(self.field("unit"))
        percent = "%" in str(value) or unit in ("%", "percent")
        if unit in ("%", "percent") or (unit in ("x", "×", "times") and not percent):
            self.accounted.add("unit")
        per = self._use("per")
        return ChangeAssertion(
            selection,
            replace(selection, **values),
            ChangeForm.GAIN if percent else ChangeForm.RATIO,
            amount,
            Per(str(per)) if per else None,
            bool(self._use("best")),
            True,
            frozenset(stated),
        )

    def _superlative_from_fields(self, kind: str, selection: Selection) -> Assertion:
        scope = Selection(
            rounds=selection.rounds,
            suite=selection.suite,
            division=selection.division,
            models=selection.models,
            scenarios=selection.scenarios,
        )
        threshold = self._use("threshold")
        limit = self._amount_of(str(threshold)) if threshold is not None else None
        relation = self.field("relation")
        if limit is not None and relation:
            limit = replace(limit, relation=Relation(str(relation)))
            self.accounted.add("relation")
        unit, per = self._measure_from_fields()
        return SuperlativeAssertion(
            selection,
            self._among(scope),
            {"only": SuperlativeKind.ONLY, "first": SuperlativeKind.FIRST}.get(kind, SuperlativeKind.TOP),
            int(str(self._use("rank") or 1)),
            False,
            kind == "lowest",
            per,
            as_good(limit, unit),
            self._amount_from_fields(),
            unit,
            False,
            kind == "first",
        )

    def _count_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount, what = self._amount_from_fields(), str(self._use("unit"))
        if amount is None or what not in COUNTED:
            raise self._no_field_form(kind)
        return CountAssertion(selection, Countable(what), amount)

    def _coverage_from_fields(self, kind: str, selection: Selection) -> Assertion:
        models = self.field("model")
        hardware = self.field("system") or self.field("accelerator")
        every = bool(self._use("all_models"))
        if every and (models or kind != "submitted"):
            raise not_understood("all_models says that every benchmark was submitted; name no model beside it.")
        if self.field("value") is not None:
            return self._covered_count(selection, every=every)
        listed = models if isinstance(models, tuple) else ((str(models),) if models else ())
        return CoverageAssertion(
            replace(selection, models=(), hardware=(), scenarios=()),
            self.names("system", hardware) if hardware else (),
            tuple(self.model_ids(self.names("model", m)) for m in listed),
            selection.scenarios,
            product=bool(models and hardware),
            negated=kind == "not-submitted",
            all_models=every,
        )

    def _own_counts(self) -> dict[str, Amount]:
        """The claim's own `accelerators` and `nodes` as figures that it claims, with its `relation`."""
        given = {name: self.fields.get(name) for name in ("accelerators", "nodes")}
        amounts = {name: Amount(printed_count(int(str(n)))) for name, n in given.items() if n is not None}
        relation = self._use("relation") if amounts else None
        if relation:
            amounts = {name: replace(amount, relation=Relation(str(relation))) for name, amount in amounts.items()}
        return amounts

    def _extent_from_fields(self, kind: str, selection: Selection) -> Assertion:
        """The size of the largest system: `accelerators` and `nodes` are claimed and do not restrict."""
        amounts = self._own_counts()
        if not amounts:
            raise not_understood("The extent of the largest system needs accelerators, nodes or both.")
        free = replace(selection, accelerators=None, nodes=None, stated=selection.stated - {"accelerators", "nodes"})
        return ExtentAssertion(free, amounts.get("accelerators"), amounts.get("nodes"))

    def _status_from_fields(self, kind: str, selection: Selection) -> Assertion:
        """Own `availability` and `division` are claimed; those of the defaults restrict the rows."""
        availability, division = self.fields.get("availability"), self.fields.get("division")
        if availability is None and division is None:
            raise not_understood("A status needs availability or division, in the claim itself.")
        return StatusAssertion(
            selection,
            str(availability).lower() if availability is not None else None,
            str(division).lower() if division is not None else None,
        )

    def _scaling_from_fields(self, kind: str, selection: Selection) -> Assertion:
        """The claim's size is the large system's, that of `baseline` the small one's."""
        extra, amount = self.field("baseline"), self._amount_from_fields()
        if not isinstance(extra, Mapping) or amount is None:
            raise not_understood("A scaling needs a value, and the small system under baseline.")
        values, stated = self._restrictions("baseline", extra)
        others = sorted(stated - {"accelerators", "nodes", "hardware", "result_ids"})
        if others:
            raise not_understood("The two sizes of a scaling differ in nothing but their size.", others)
        divisor = self._use("per")
        sizes = [name for name in ("accelerators", "nodes") if values.get(name) and getattr(selection, name)]
        by = {"accelerators": Per.ACCELERATOR, "nodes": Per.NODE}
        if not sizes or (divisor and Per(str(divisor)) not in by.values()):
            raise not_understood("A scaling needs accelerators (or nodes) of the large and of the small system.")
        counted = next((name for name in sizes if by[name] == (divisor or by[sizes[0]])), None)
        if counted is None or values[counted] >= getattr(selection, counted):
            raise not_understood("The system under baseline has to be the smaller one.")
        small = replace(selection, **{"accelerators": None, "nodes": None, **values})
        return ScalingAssertion(small, selection, amount, by[counted], self._percent_or_factor())

    def _percent_or_factor(self) -> str:
        """The unit of a scaling: `%` of the ideal, or `x` for the growth itself."""
        signs = [i.kind for text in (self.field("value"),) for i in self._items_of(str(text))]
        unit = self._use("unit")
        if unit is not None:
            signs += [i.kind for i in self._items_of(f"1 {unit}")]
        found = {"percent": "%", "ratio": "x"}
        known = {found[sign] for sign in signs if sign in found}
        if len(known) != 1 or (unit is not None and signs[-1] not in found):
            raise not_understood("A scaling is a percentage (%) or a factor (x).")
        return known.pop()

    def _sum_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount, parts = self._amount_from_fields(), self._use("parts")
        if amount is None or not isinstance(parts, tuple) or len(parts) < 2:
            raise not_understood("A sum needs a value and parts, the results that are added up.")
        unit, per = self._measure_from_fields()
        if per not in (None, Per.SYSTEM):
            raise not_understood("A sum adds up the results of whole systems; it has no divisor.", ["per"])
        chosen = []
        for part in parts:
            if not isinstance(part, Mapping):
                raise not_understood("A part of a sum is a mapping of fields.", [str(part)])
            values, stated = self._restrictions("parts", part)
            chosen.append(replace(selection, **values, stated=selection.stated | stated))
        return SumAssertion(tuple(chosen), amount, unit)

    def _arithmetic_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount, operands, operator = self._amount_from_fields(), self._use("operands"), self._use("operator")
        if amount is None or operator is None or not isinstance(operands, tuple) or len(operands) != 2:
            raise not_understood("Arithmetic needs a value, two operands and an operator.")
        if amount.upper is not None or amount.relation is Relation.BETWEEN:
            raise not_understood("The result of a calculation is one figure.", ["relation"])
        left, right = (self._term(str(operand)) for operand in operands)
        unit = self._use("unit")
        share, gain = operator == "share", operator == "gain"
        result = Term(amount.number, "%" if share or gain else str(unit or ""), amount.relation)
        if (share or gain) and unit not in (None, "%", "percent"):
            raise not_understood("A share or a gain is a percentage.", [str(unit)])
        return ArithmeticAssertion(left, "×" if operator == "multiply" else "÷", right, result, share, gain)

    def _term(self, text: str) -> Term:
        """An operand as printed: a figure, perhaps with a unit or the name of what is counted."""
        items = self._items_of(text)
        if len(items) == 1:
            (item,) = items
            amount = item.amount or (Amount(printed_count(item.count)) if item.count is not None else None)
            if amount is not None and amount.upper is None:
                unit = {"number": "", "percent": "%", "ratio": "x", "value": item.unit}.get(item.kind, item.value)
                divisor = f"/{item.per.value}" if item.per is not None else ""
                return Term(amount.number, f"{unit or ''}{divisor}", amount.relation)
        raise not_understood(f"The operand “{text}” is not a figure as it would be printed.", [text])

    def _covered_count(self, selection: Selection, *, every: bool) -> Assertion:
        """ "On four platforms": how many models or platforms results exist for."""
        amount, what = self._amount_from_fields(), str(self._use("unit"))
        whole = amount is not None and amount.number.value == int(amount.number.value)
        if every or amount is None or not whole or amount.relation is not Relation.EQUAL:
            raise not_understood("How many models or platforms were submitted is one whole number.")
        if what not in ("models", "platforms") or selection.models or selection.hardware or selection.scenarios:
            raise not_understood(
                "Of what was submitted, models and platforms are counted, over all that the submitter has.", [what]
            )
        count = int(amount.number.value)
        return CoverageAssertion(
            selection,
            hardware_count=count if what == "platforms" else None,
            model_count=count if what == "models" else None,
        )
