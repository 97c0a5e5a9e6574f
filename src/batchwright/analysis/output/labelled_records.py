"""One aggregated label per record and question, with the fields of the record."""

from collections.abc import Iterator

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.text_files import write_objects
from batchwright.base.json_values import JsonObject


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file; none for a survey, which has no records."""
    if not source.analysis.table.is_survey:
        yield OutputFile("labels.jsonl", lambda path: write_objects(path, labelled_records(source.analysis)))


def labelled_records(analysis: Analysis) -> Iterator[JsonObject]:
    """Yield each aggregated label with the fields of its record; missing values are omitted."""
    table = analysis.table
    task_codes = {task: code for code, task in enumerate(table.tasks.values)}
    titles = {question.id: question.title for question in table.questions}
    labels = next((result for result in analysis.results if result.name == "labels"), None)
    if labels is None:
        return
    for row in labels.rows:
        values = dict(zip(labels.columns, row, strict=True))
        code = task_codes[str(values["task"])]
        record = {name: column[code] for name, column in table.fields.items() if column.codes[code] >= 0}
        present = {name: value for name, value in values.items() if value not in (None, "")}
        more: JsonObject = {"question_text": titles[str(values["question"])], "record": record}
        yield {**present, **more, "answers_excluded": analysis.excluded}
