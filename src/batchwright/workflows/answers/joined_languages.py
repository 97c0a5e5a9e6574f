"""Joins the answers to the batches of a study in several languages, as if all were given to one of them.

The questions of each batch have ids of their own. The layouts of another language get the ids of the same
questions in the study's own batch; the values of options are the same in all languages. The language becomes
a field of the tasks, by which answers are filtered and grouped.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Final

from batchwright.base.json_values import InvalidJson, is_object, parse
from batchwright.client.remote_study import RemoteStudy
from batchwright.local.projects import Project, StudyKind

LANGUAGE_FIELD: Final = "participant_language"
"""The field with the language in which a task was shown, as a BCP 47 tag; see `language_field`."""


@dataclass(frozen=True)
class JoinedLanguage:
    """The batch of a language; `instructions` has the ids of the nodes to join with, by those it has."""

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


def collect_languages(lines: Iterable[str], language: str, languages: dict[str, str]) -> Iterator[str]:
    """Yield the records of answers in a language, as JSON, and add the language of each task."""
    for line in lines:
        yield line
        try:
            record = parse(line)
        except InvalidJson:
            continue  # which is reported where answers are read
        if is_object(record) and isinstance(task := record.get("task_id"), str):
            languages[task] = language


def language_field(names: Container[str]) -> str:
    """A name for the field with the language of each task that no field of the dataset has."""
    numbered = (f"{LANGUAGE_FIELD}_{number}" for number in count(2))
    return next(name for name in chain([LANGUAGE_FIELD], numbered) if name not in names)


def with_languages(
    records: Mapping[str, Mapping[str, str]], languages: Mapping[str, str], field: str
) -> dict[str, Mapping[str, str]]:
    """The values of the fields of tasks with the language of each in a field."""
    tasks = {**{task: {} for task in languages}, **records}
    return {
        task: {**values, field: languages[task]} if task in languages else values
        for task, values in tasks.items()
    }
