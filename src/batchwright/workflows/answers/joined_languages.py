"""Joins the answers to the batches of a study in several languages, as if all were given to one of them.

The questions of each batch have ids of their own. An answer to another language gets the id of the same
question in the study's own batch; the values of options are the same in all languages. The language becomes a
field of the tasks, by which answers are filtered and grouped.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from batchwright.base.json_values import InvalidJson, is_object, parse, to_json
from batchwright.client.remote_study import RemoteStudy
from batchwright.local.projects import Project, StudyKind

LANGUAGE_FIELD: Final = "participant_language"
"""The field with the language in which a task was shown, as a BCP 47 tag."""


@dataclass(frozen=True)
class JoinedLanguage:
    """The batch of a language; `instructions` has the ids of the questions to join with, by those it has."""

    language: str
    remote_study: RemoteStudy
    instructions: Mapping[str, str] = field(default_factory=dict)


def joined_languages(study: Project, connection: str, own_language: str) -> tuple[JoinedLanguage, ...]:
    """The batches of a study in its languages at a connection, that of its own language first.

    Without a batch in its own language, the answers are joined with those to the first one there is. It is a
    single batch if no other was created. Answers to collections belong to no tasks, and are not joined.
    """
    remote = study.remotes.get(connection)
    if remote is None or study.kind is not StudyKind.BATCH:
        return ()
    languages = [("", own_language), *((language, language) for language in study.translations)]
    bindings = [(title, remote.in_language(language)) for language, title in languages]
    created = [(title, of) for title, of in bindings if of.batch_id is not None]
    ids = created[0][1].ids if created else {}
    return tuple(
        JoinedLanguage(
            title,
            RemoteStudy(StudyKind.BATCH, of.batch_id or ""),
            {id: ids[key] for key, id in of.ids.items() if key in ids and id != ids[key]},
        )
        for title, of in created
    )


def as_answers_of_study(lines: Iterable[str], of: JoinedLanguage, languages: dict[str, str]) -> Iterator[str]:
    """The records of answers with the ids of the questions that they are joined with.

    Args:
        lines: the records as JSON.
        of: the batch that they were given to.
        languages: gets the language of each task.
    """
    for line in lines:
        try:
            record = parse(line)
        except InvalidJson:
            yield line  # which is reported where answers are read
            continue
        response = record.get("response") if is_object(record) else None
        if not is_object(record) or not is_object(response):
            yield line
            continue
        if isinstance(task := record.get("task_id"), str):
            languages[task] = of.language
        id = response.get("instruction_id")
        joined = of.instructions.get(id) if isinstance(id, str) else None
        yield (
            line
            if joined is None
            else to_json({**record, "response": {**response, "instruction_id": joined}})
        )


def with_languages(
    records: Mapping[str, Mapping[str, str]], languages: Mapping[str, str]
) -> dict[str, Mapping[str, str]]:
    """The values of the fields of tasks with the language of each."""
    tasks = {**{task: {} for task in languages}, **records}
    return {
        task: {**values, LANGUAGE_FIELD: languages[task]} if task in languages else values
        for task, values in tasks.items()
    }


def without_language(values: Mapping[str, str]) -> dict[str, str]:
    """The values of a task's fields that are those of its record."""
    return {name: value for name, value in values.items() if name != LANGUAGE_FIELD}
