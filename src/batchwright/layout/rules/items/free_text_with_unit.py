"""The rules on free text with a unit."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.layout.item_types.free_text_with_unit import FreeTextWithUnit
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.examples import TEXT_WITH_UNIT, one_item_layouts, option, units, with_attributes
from batchwright.layout.rules.items.choice import indistinguishable_values
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import RejectionStatus
from batchwright.layout.rules.quick_fixes import unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY24",
    N_("The default unit is one of the units"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        TEXT_WITH_UNIT,
        with_attributes(TEXT_WITH_UNIT, default_unit="h"),
        units(option(5), option(True), default_unit="5"),
        units(option(5), option(True), default_unit="true"),
        units(option(0.5), default_unit="0.5"),
    ),
    fails=one_item_layouts(
        with_attributes(TEXT_WITH_UNIT, default_unit="s"),
        with_attributes(TEXT_WITH_UNIT, default_unit="H"),
        with_attributes(TEXT_WITH_UNIT, default_unit=""),
        units(option(5.0), option(True), default_unit="5"),
        units(option(5), option(True), default_unit="True"),
    ),
    attribute="default_unit",
)
def default_among_units(index: PageIndex) -> Iterator[Finding]:
    """`default_unit` equals a unit's value, compared as text (specification, batch_items rule 5)."""
    for path, item, _name, listed, count in index.options(FreeTextWithUnit, "unit_options"):
        default = item.attributes.get("default_unit")
        if not count or not isinstance(default, str):
            continue
        values = [as_text(unit.get("value")) for unit in listed]
        if default not in values:
            yield Finding(
                path,
                item,
                _("The default unit, “{unit}”, is not one of the units ({units}). Choose one of them."),
                {"unit": default, "units": joined(values)},
                unset_attribute_fix(item, _("Use no default unit"), "default_unit"),
            )


@rule(
    "LY54",
    N_("No two units have the same value"),
    passes=one_item_layouts(TEXT_WITH_UNIT),
    fails=one_item_layouts(
        units(option("min", "minutes"), option("min", "hours")),
        units(option(1, "one"), option("1", "two")),
    ),
)
def unit_values_distinct(index: PageIndex) -> Iterator[Finding]:
    """Unit values differ when compared as text, because an answer contains the value of its unit as text."""
    for item_options in index.options(FreeTextWithUnit, "unit_options"):
        yield from indistinguishable_values(item_options, item_options.options)


RULES = (default_among_units, unit_values_distinct)
