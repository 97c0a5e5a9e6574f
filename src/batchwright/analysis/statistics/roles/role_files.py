"""Reads and writes the roles of questions as JSON, in a file beside the answers.

`questions` has an object for each question id, all of whose keys are optional::

    {
        "questions": {
            "q1": {
                "level": "ordinal",
                "order": ["poor", "fair", "good"],
                "missing": ["Don't know", 99],
                "left": [],
                "right": [],
                "tie": [],
                "none": [],
            }
        }
    }

`level` is `nominal`, `ordinal` or `interval`. The other keys have values of options: `order` from the lowest
to the highest, `missing` those that mean that there is no answer (also numbers and texts), and `left`,
`right`, `tie` and `none` what options say in a comparison of two sides.
"""

from collections.abc import Mapping
from pathlib import Path

from batchwright.analysis.statistics.roles.question_roles import QuestionRole, Roles
from batchwright.analysis.store.questions import MeasurementLevel, Outcome
from batchwright.base.i18n import _
from batchwright.base.json_texts.json_incremental import parse_file
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_array, is_object, to_json
from batchwright.base.local_formats import joined
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.option_values import as_text

MAX_BYTES = 16 << 20
"""Size of a file above which it has no roles."""
_LISTS = ("order", "missing", *Outcome)


class _Invalid(ValueError):
    """The file has a valid JSON text that is no roles; `place` is the path of what is wrong."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")


def read_roles(path: Path) -> Roles:
    """Read roles by question id.

    Raises:
        UnreadableFile: it has no roles; the reason names the place.
        OSError: it cannot be opened.
    """
    remedy = _(
        "Write an object “questions” with the id of each question, and for each of them level, order, "
        "missing, left, right, tie or none."
    )
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UnreadableFile(_("The file is too large."), remedy)
    try:
        return _roles(parse_file(content))
    except (InvalidJson, _Invalid) as error:
        raise UnreadableFile(f"{str(error).rstrip('.')}.", remedy) from None


def roles_json(roles: Roles) -> str:
    """Roles as the text of a file."""
    return to_json({"questions": {id: _role_json(role) for id, role in roles.items()}}, indent=2) + "\n"


def _role_json(role: QuestionRole) -> JsonObject:
    level: dict[str, Json] = {"level": str(role.level)} if role.level else {}
    lists = {"order": role.order, "missing": role.missing}
    if role.outcomes is not None:
        outcomes = role.outcomes.items()
        lists |= {outcome: tuple(value for value, of in outcomes if of is outcome) for outcome in Outcome}
    return level | {str(name): values for name, values in lists.items() if values or name in set(Outcome)}


def _roles(content: Json) -> Roles:
    if not is_object(content) or not is_object(questions := content.get("questions")):
        raise _Invalid("questions", _("this object is missing"))
    for name in sorted(content.keys() - {"questions"}):
        raise _Invalid(name, _("no such key is known"))
    return {id: _role(f"questions.{id}", role) for id, role in questions.items()}


def _role(place: str, content: Json) -> QuestionRole:
    if not is_object(content):
        raise _Invalid(place, _("an object is expected"))
    for name in sorted(content.keys() - {"level", *_LISTS}):
        raise _Invalid(f"{place}.{name}", _("no such key is known"))
    values = {name: _values(f"{place}.{name}", content[name]) for name in _LISTS if name in content}
    _require_one_role(place, values)
    outcomes = {value: outcome for outcome in Outcome for value in values.get(outcome, ())}
    has_outcomes = any(outcome in values for outcome in Outcome)
    level = _level(f"{place}.level", content.get("level"))
    order, missing = values.get("order", ()), values.get("missing", ())
    return QuestionRole(level, order, missing, outcomes if has_outcomes else None)


def _level(place: str, content: Json) -> MeasurementLevel | None:
    if content is None:
        return None
    if content not in [*map(str, MeasurementLevel)]:
        raise _Invalid(place, _("one of {names} is expected").format(names=joined(MeasurementLevel)))
    return MeasurementLevel(str(content))


def _values(place: str, content: Json) -> tuple[str, ...]:
    """The values in a list, as texts."""
    if not is_array(content):
        raise _Invalid(place, _("a list of values is expected"))
    values = []
    for index, value in enumerate(content):
        if is_array(value) or is_object(value) or value is None:
            raise _Invalid(f"{place}[{index}]", _("a text or a number is expected"))
        values.append(as_text(value))
    if len(set(values)) < len(values):
        raise _Invalid(place, _("a value is in the list twice"))
    return tuple(values)


def _require_one_role(place: str, values: Mapping[str, tuple[str, ...]]) -> None:
    """Check that no value has two outcomes, and that none is missing and something else."""
    found: dict[str, str] = {}
    for name in ("missing", *Outcome):
        for value in values.get(name, ()):
            if found.setdefault(value, name) != name:
                text = _("“{value}” is already in “{name}”")
                raise _Invalid(f"{place}.{name}", text.format(value=value, name=found[value]))
    for value in values.get("order", ()):
        if found.get(value) == "missing":
            raise _Invalid(
                f"{place}.order", _("“{value}” is already in “{name}”").format(value=value, name="missing")
            )
