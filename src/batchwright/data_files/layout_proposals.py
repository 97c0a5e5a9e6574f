"""Proposes first layouts for a table: a page that shows its columns, with a question about them.

A proposal is a value; whether it is used is up to the user. Its texts are those of the templates, in the
language of the program.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from string import ascii_lowercase

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.local_formats import joined, quoted
from batchwright.data_files.profiling import ColumnStats, FileProfile
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read
from batchwright.schema.alternatives import Alternatives, alternatives, is_answer
from batchwright.schema.item_sets import letters_of, shown_column
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.neutral_labels import names_system

MAX_SHOWN_FIELDS = 12
"""Fields that a proposed page shows; more are left to the user."""

_SHORT_NAME_CHARACTERS = 60
"""The longest value of a column that contains nothing but names of systems."""


class ProposalKind(Enum):
    """What participants do on a proposed page."""

    COMPARISON = auto()
    """They compare fields side by side."""
    RATING = auto()
    """They rate one text, picture, recording or video."""
    BEST_WORST = auto()
    """They choose the best and the worst item of a set."""
    OPEN_QUESTION = auto()
    """They read the fields, and write."""


@dataclass(frozen=True)
class LayoutProposal:
    """A page for a table, and the schema with the labels that it needs.

    `subjects` are the names of the fields that the question is about. `risks` are sentences about what may
    tell participants where a value comes from.
    """

    kind: ProposalKind
    layout: Layout
    schema: Schema
    subjects: tuple[str, ...]
    risks: tuple[str, ...]


def propose_layouts(schema: Schema, profile: FileProfile, keys: Iterator[str]) -> tuple[LayoutProposal, ...]:
    """Layouts for a table, the best one first; empty if participants can be shown none of its columns.

    Columns that are empty in the first records are not shown, and neither are those that only name systems.
    Compared fields get neutral labels, unless one of them has another label than was proposed for it.

    Args:
        schema: the fields of the table.
        profile: the schema that was proposed for the table, and the statistics of its columns.
        keys: the keys of the new nodes.
    """
    stats = profile.column_stats
    shown = {name: field for name, field in schema.fields.items() if _can_be_shown(field, stats.get(name))}
    if not shown:
        return ()
    risks = tuple(_risks(stats, shown))
    group = alternatives(shown)
    subject = _subject(shown)
    proposals: list[LayoutProposal] = []
    if items := _shown_of_items(schema, shown):
        proposals.append(_best_worst(schema, profile, shown, items, risks, keys))
    if group is not None:
        proposals.append(_comparison(_relabelled(schema, profile, group), shown, group, risks, keys))
    rating = _rating(schema, shown, subject, risks, keys)
    question = _open_question(schema, shown, risks, keys)
    is_rating_likely = _is_only_subject(shown, subject)
    proposals += [rating, question] if is_rating_likely else [question, rating]
    return tuple(proposals)


def _relabelled(schema: Schema, profile: FileProfile, group: Alternatives) -> Schema:
    """The schema with neutral labels of the alternatives; unchanged if the user has labelled one of them."""
    proposed = profile.proposal.schema.fields
    for name in group.names:
        if name not in proposed or schema.fields[name].label != proposed[name].label:
            return schema
    labels = group.labels
    others = {field.label for name, field in schema.fields.items() if name not in labels}
    if others & set(labels.values()):
        labels = replace(group, noun="").labels
    for name, label in labels.items():
        schema = schema.with_label(name, label)
    return schema


def _can_be_shown(field: Field, stats: ColumnStats | None) -> bool:
    if stats is None or not field.type.referable or not stats.filled:
        return False
    is_name_of_system = stats.naming_systems == stats.filled and stats.longest <= _SHORT_NAME_CHARACTERS
    return not (is_name_of_system and field.type is FieldType.TEXT)


def _subject(shown: Mapping[str, Field]) -> str:
    """The field that is rated: the first medium, else the last field named like an answer, or the last."""
    media = [name for name, field in shown.items() if field.type is not FieldType.TEXT]
    answers = [name for name in shown if is_answer(name)]
    return media[0] if media else (answers or [*shown])[-1]


def _is_only_subject(shown: Mapping[str, Field], subject: str) -> bool:
    """Whether nothing else in the table could be rated as well."""
    if shown[subject].type is not FieldType.TEXT:
        return sum(field.type is not FieldType.TEXT for field in shown.values()) == 1
    return len(shown) == 1 or [name for name in shown if is_answer(name)] == [subject]


def _comparison(
    schema: Schema,
    shown: Mapping[str, Field],
    group: Alternatives,
    risks: Sequence[str],
    keys: Iterator[str],
) -> LayoutProposal:
    names = group.names
    others = _others(shown, names)
    rows = [_row([_field(name)]) for name in others]
    rows += [_row(*([_field(name)] for name in names[at : at + 2])) for at in range(0, len(names), 2)]
    rows.append(_row([_choice_among(names, group.type)]))
    named = [name for name in names if names_system(name)]
    if named:
        labelled = _quoted(schema.fields[name].label or name for name in names)
        text = _("The columns {columns} are named after systems; participants see {labels}.")
        risks = (text.format(columns=_quoted(named), labels=labelled), *risks)
    return LayoutProposal(ProposalKind.COMPARISON, _layout(rows, keys), schema, names, tuple(risks))


def _shown_of_items(schema: Schema, shown: Mapping[str, Field]) -> list[list[str]]:
    """The fields with what is shown of each item of a set; empty if records are no sets."""
    letters = letters_of(schema.fields)
    stems = [name.removesuffix("_a") for name in shown if letters and name.endswith("_a")]
    of_all = [stem for stem in stems if all(shown_column(stem, letter) in shown for letter in letters)]
    return [[shown_column(stem, letter) for stem in of_all] for letter in letters] if of_all else []


def _best_worst(
    schema: Schema,
    profile: FileProfile,
    shown: Mapping[str, Field],
    items: Sequence[Sequence[str]],
    risks: Sequence[str],
    keys: Iterator[str],
) -> LayoutProposal:
    for names in zip(*items, strict=True):
        if group := alternatives({name: schema.fields[name] for name in names}):
            schema = _relabelled(schema, profile, group)
    subjects = tuple(name for names in items for name in names)
    rows = [_row([_field(name)]) for name in _others(shown, subjects)]
    rows += [_row(*([*map(_field, of)] for of in items[at : at + 2])) for at in range(0, len(items), 2)]
    type, letters = shown[items[0][-1]].type, ascii_lowercase[: len(items)]
    best = _single_choice(_best_question(type), _("{letter} is best"), letters)
    worst = _single_choice(_worst_question(type), _("{letter} is worst"), letters)
    rows.append(_row([best], [worst]))
    return LayoutProposal(ProposalKind.BEST_WORST, _layout(rows, keys), schema, subjects, tuple(risks))


def _rating(
    schema: Schema, shown: Mapping[str, Field], subject: str, risks: Sequence[str], keys: Iterator[str]
) -> LayoutProposal:
    type, others = shown[subject].type, _others(shown, (subject,))
    rating = _rating_of(_rating_question(type, is_answer=is_answer(subject) and bool(others)))
    if type is FieldType.IMAGE_URL:
        rows = [_row([_field(subject)], [*map(_field, others), rating])]
    else:
        rows = [_row([_field(name)]) for name in (*others, subject)]
        rows.append(_row([rating]))
    return LayoutProposal(ProposalKind.RATING, _layout(rows, keys), schema, (subject,), tuple(risks))


def _open_question(
    schema: Schema, shown: Mapping[str, Field], risks: Sequence[str], keys: Iterator[str]
) -> LayoutProposal:
    names = tuple(shown)[:MAX_SHOWN_FIELDS]
    question: JsonObject = {"type": "free_text", "description": _("What do you think of it?")}
    rows = [*(_row([_field(name)]) for name in names), _row([question])]
    return LayoutProposal(ProposalKind.OPEN_QUESTION, _layout(rows, keys), schema, names, tuple(risks))


def _others(shown: Mapping[str, Field], subjects: Sequence[str]) -> list[str]:
    """The fields besides those that the question is about, as far as a page shows them."""
    others = [name for name in shown if name not in subjects]
    return others[: max(MAX_SHOWN_FIELDS - len(subjects), 0)]


def _risks(stats: Mapping[str, ColumnStats], shown: Iterable[str]) -> Iterator[str]:
    """What in the values may tell participants which system has written a text."""
    named = [name for name in shown if stats[name].naming_systems]
    if named:
        text = _("Values in {columns} name a model or its vendor; participants who read it are not blind.")
        yield text.format(columns=_quoted(named))


def _quoted(names: Iterable[str]) -> str:
    return joined(quoted(name) for name in names)


def _choice_among(names: Sequence[str], type: FieldType) -> JsonObject:
    letters, are_two = ascii_lowercase[: len(names)], len(names) == 2
    label = _("{letter} is better") if are_two else _("{letter} is best")
    question = _better_question(type) if are_two else _best_question(type)
    return _single_choice(question, label, letters, {"label": _("About the same"), "value": "same"})


def _single_choice(question: str, label: str, letters: str, *others: JsonObject) -> JsonObject:
    """A question with an option for each letter, and others."""
    of_letters = [{"label": label.format(letter=letter.upper()), "value": letter} for letter in letters]
    return {
        "type": "multiple_choice",
        "description": question,
        "answer_limit": 1,
        "disable_dropdown": True,
        "options": [*of_letters, *others],
    }


def _better_question(type: FieldType) -> str:
    match type:
        case FieldType.IMAGE_URL:
            return _("Which picture is better?")
        case FieldType.AUDIO_URL:
            return _("Which recording is better?")
        case FieldType.VIDEO_URL:
            return _("Which video is better?")
    return _("Which one is better?")


def _best_question(type: FieldType) -> str:
    match type:
        case FieldType.IMAGE_URL:
            return _("Which picture is the best?")
        case FieldType.AUDIO_URL:
            return _("Which recording is the best?")
        case FieldType.VIDEO_URL:
            return _("Which video is the best?")
    return _("Which one is the best?")


def _worst_question(type: FieldType) -> str:
    match type:
        case FieldType.IMAGE_URL:
            return _("Which picture is the worst?")
        case FieldType.AUDIO_URL:
            return _("Which recording is the worst?")
        case FieldType.VIDEO_URL:
            return _("Which video is the worst?")
    return _("Which one is the worst?")


def _rating_question(type: FieldType, *, is_answer: bool) -> str:
    match type:
        case FieldType.IMAGE_URL:
            return _("How good is the picture?")
        case FieldType.AUDIO_URL:
            return _("How good is the recording?")
        case FieldType.VIDEO_URL:
            return _("How good is the video?")
    return _("How good is the answer?") if is_answer else _("How good is the text?")


def _rating_of(question: str) -> JsonObject:
    labels = (_("1 very poor"), _("2 poor"), _("3 fair"), _("4 good"), _("5 excellent"))
    options: list[Json] = [{"label": label, "value": value} for value, label in enumerate(labels, 1)]
    return {
        "type": "multiple_choice",
        "description": question,
        "answer_limit": 1,
        "disable_dropdown": True,
        "options": options,
    }


def _field(name: str) -> JsonObject:
    return {"type": "dataset_field", "field": name}


def _row(*columns: Sequence[JsonObject]) -> JsonObject:
    return {"columns": [{"items": list(items)} for items in columns]}


def _layout(rows: Sequence[JsonObject], keys: Iterator[str]) -> Layout:
    return read([{"rows": list(rows)}], keys)
