"""Writes a query of answers as SQL for the tables in `store_schema`."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, Column, FieldColumn
from batchwright.base.text import without_lone_surrogates

_FIELD_VALUE = """(
    SELECT v.value FROM field_values v JOIN fields f ON f.number = v.field AND f.name = $sort
    WHERE v.task = a.task
)"""
_SEARCH = """(
    contains(lower(a.text), lower($search))
    OR a.participant IN (SELECT number FROM participants WHERE contains(lower(id), lower($search)))
    OR a.task IN (SELECT number FROM tasks WHERE contains(lower(id || chr(10) || datapoint), lower($search)))
    OR a.task IN (SELECT task FROM field_values WHERE contains(lower(value), lower($search)))
)"""
_OF_ENTRY = "(SELECT arg_min(e.{column}, e.place) FROM entries e WHERE e.answer = a.number)"

_SORT_KEYS: dict[AnswerColumn, tuple[str, ...]] = {
    AnswerColumn.ANSWERED_AT: ("a.time",),
    AnswerColumn.PARTICIPANT: ("(SELECT id FROM participants p WHERE p.number = a.participant)",),
    AnswerColumn.TASK: ("(SELECT id FROM tasks t WHERE t.number = a.task)",),
    AnswerColumn.DATAPOINT: (
        "(SELECT TRY_CAST(datapoint AS BIGINT) FROM tasks t WHERE t.number = a.task)",
        "(SELECT datapoint FROM tasks t WHERE t.number = a.task)",
    ),
    AnswerColumn.QUESTION: ("(SELECT (place, number) FROM questions q WHERE q.number = a.question)",),
    AnswerColumn.ANSWER: ("a.amount", "nullif(a.text, '')"),
    AnswerColumn.EXPLANATION: (_OF_ENTRY.format(column="explanation"),),
    AnswerColumn.UNIT: (_OF_ENTRY.format(column="unit"),),
    AnswerColumn.FILE: (_OF_ENTRY.format(column="file"),),
    AnswerColumn.PAGE_SECONDS: (
        "(SELECT seconds FROM page_times s WHERE s.participant = a.participant AND s.task = a.task)",
    ),
    AnswerColumn.IS_NEW: ("a.number >= $seen",),
    AnswerColumn.EXCLUSION: ("(SELECT reason FROM exclusions x WHERE x.answer = a.number)",),
}


def query_sql(query: AnswerQuery, question_ids: Sequence[str], seen: int) -> tuple[str, dict[str, Any]]:
    """The statement that selects the numbers and participants of answers, and its values.

    Args:
        query: the conditions and the order.
        question_ids: ids of questions by number.
        seen: number of the first new answer.
    """
    conditions = dict(_conditions(query, question_ids, seen))
    values = {name: value for _sql, given in conditions.items() for name, value in given.items()}
    keys, direction = _sort_keys(query.sort), "DESC" if query.is_descending else "ASC"
    if isinstance(query.sort, FieldColumn):
        values["sort"] = without_lone_surrogates(query.sort.name)
    if query.sort is AnswerColumn.IS_NEW:
        values["seen"] = seen
    order = ", ".join([*(f"{key} {direction} NULLS LAST" for key in keys), "a.time NULLS LAST", "a.id"])
    where = " AND ".join(conditions) or "true"
    return f"SELECT a.number, a.participant FROM answers a WHERE {where} ORDER BY {order}", values


def distinct_sql(column: Column) -> tuple[str, dict[str, Any]]:
    """The statement that selects the different values of a column, and its values."""
    if isinstance(column, FieldColumn):
        return _DISTINCT_OF_FIELD, {"name": without_lone_surrogates(column.name)}
    return f"{_DISTINCT[column]} ORDER BY 1", {}


_DISTINCT_OF_FIELD = """
    SELECT DISTINCT v.value FROM field_values v JOIN fields f ON f.number = v.field
    WHERE f.name = $name ORDER BY v.value
"""
_DISTINCT = {
    AnswerColumn.PARTICIPANT: "SELECT id FROM participants",
    AnswerColumn.TASK: "SELECT id FROM tasks",
    AnswerColumn.DATAPOINT: "SELECT DISTINCT datapoint FROM tasks",
    AnswerColumn.QUESTION: ("SELECT id FROM questions WHERE number IN (SELECT question FROM answers)"),
    AnswerColumn.UNIT: "SELECT DISTINCT unit FROM entries WHERE unit IS NOT NULL",
    AnswerColumn.EXCLUSION: "SELECT DISTINCT reason FROM exclusions",
}


def _conditions(
    query: AnswerQuery, question_ids: Sequence[str], seen: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each condition as SQL, with the values of its parameters."""
    number_of = {id: number for number, id in enumerate(question_ids)}
    if search := query.search.strip():
        yield _SEARCH, {"search": without_lone_surrogates(search)}
    if query.questions:
        numbers = [number_of[id] for id in query.questions if id in number_of]
        yield "a.question IN (SELECT unnest($questions::INTEGER[]))", {"questions": numbers}
    if query.options:
        pairs = [(number_of[id], index) for id, index in query.options if id in number_of]
        yield (
            """a.number IN (
                SELECT e.answer FROM entries e JOIN (
                    SELECT unnest($option_questions::INTEGER[]) AS question,
                        unnest($options::INTEGER[]) AS "option"
                ) o ON o.question = e.question AND o."option" = e."option"
            )""",
            {
                "option_questions": [question for question, _index in pairs],
                "options": [index for _question, index in pairs],
            },
        )
    yield from _identity_conditions(query)
    for index, (name, value) in enumerate(query.fields):
        yield (
            f"""a.task IN (
                SELECT v.task FROM field_values v JOIN fields f ON f.number = v.field
                WHERE f.name = $field{index} AND v.value = $value{index}
            )""",
            {
                f"field{index}": without_lone_surrogates(name),
                f"value{index}": without_lone_surrogates(value),
            },
        )
    if query.since is not None:
        yield "a.time >= $since", {"since": _milliseconds(query.since)}
    if query.until is not None:
        yield "a.time < $until", {"until": _milliseconds(query.until)}
    if query.only_new:
        yield "a.number >= $seen", {"seen": seen}
    if query.only_excluded:
        yield "a.number IN (SELECT answer FROM exclusions)", {}


def _identity_conditions(query: AnswerQuery) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the conditions on participants, tasks and ids of answers."""
    if query.participants:
        chosen = "SELECT number FROM participants WHERE id IN (SELECT unnest($participants::VARCHAR[]))"
        yield f"a.participant IN ({chosen})", {"participants": _texts(query.participants)}
    if query.tasks:
        chosen = "SELECT number FROM tasks WHERE id IN (SELECT unnest($tasks::VARCHAR[]))"
        yield f"a.task IN ({chosen})", {"tasks": _texts(query.tasks)}
    if query.answers:
        yield "a.id IN (SELECT unnest($answers::VARCHAR[]))", {"answers": _texts(query.answers)}


def _sort_keys(column: Column) -> tuple[str, ...]:
    return (_FIELD_VALUE,) if isinstance(column, FieldColumn) else _SORT_KEYS[column]


def _texts(texts: Sequence[str]) -> list[str]:
    return list(map(without_lone_surrogates, texts))


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
