"""Pages of the help that are made of tables of the program and of texts beside them."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.method_chapters import NOMINAL_PERCENT, Coverage, coverage
from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.statistics.participants.participant_hints import HINT_TEXTS, UNDER_1_S, hints_text
from batchwright.base.resources import resource
from batchwright.data_files.sources import media_folder, nested_values
from batchwright.data_files.sources.html_tables import MAX_CELLS
from batchwright.data_files.text_rows import csv_rows, row_limits
from batchwright.layout.item_types.registry import ITEM_TYPES
from batchwright.schema import parsing
from batchwright.ui.study.templates import TEMPLATES, Template
from batchwright.wire import datapoints, feedback
from method_texts import TEXTS as METHOD_TEXTS
from template_texts import TEXTS as TEMPLATE_TEXTS

_FIGURES = Path(__file__).resolve().parents[1] / "tests" / "benchmarks" / "figures.json"
_GIB = 1 << 30


def template_page_name(template: Template) -> str:
    """The name of the page about a template."""
    return f"template-{template.folder[-1]}"


def template_pages() -> dict[str, list[str]]:
    """The paragraphs of the page about each template, and of the list of them, by the names of the pages."""
    pages = {template_page_name(template): list(_template(template)) for template in TEMPLATES}
    return {"templates": list(_template_list()), **pages}


def _template_list() -> Iterator[str]:
    yield "# Templates"
    yield (
        f"Home offers {len(TEMPLATES)} layouts with sample records, each for a kind of study that has been "
        "published many times. Open one, look at its pages, and replace its data by yours in "
        "[Data](data.md): the pages stay."
    )
    for template in TEMPLATES:
        text = TEMPLATE_TEXTS[template.folder[-1]]
        yield f"- [{template.name}]({template_page_name(template)}.md): {text.when}"


def _template(template: Template) -> Iterator[str]:
    text = TEMPLATE_TEXTS[template.folder[-1]]
    yield f"# {template.name}"
    yield f"{template.description}. Choose it on [Home](home.md#start-a-study) among the *Templates*."
    yield "## When to use it"
    yield f"Use it {text.when}" if text.when.startswith("to ") else f"Use it when {text.when}"
    yield f"Not when {text.not_when}"
    yield "## What it has"
    yield from _template_content(template)
    yield "## A published study"
    yield text.study
    yield text.found
    yield "## What to do"
    yield text.advice


def _template_content(template: Template) -> Iterator[str]:
    folder = resource(*template.folder)
    collection = folder / "collection.json"
    content = json.loads((collection if collection.exists() else folder / "layout.json").read_bytes())
    items = list(_items(content))
    if collection.exists():
        yield f"A [collection](collections.md) of {len(content['collection_items'])} pages, without data."
    else:
        schema = json.loads((folder / "schema.json").read_bytes())
        names = ", ".join(f"`{name}`" for name in schema["fields"])
        with (folder / "records.csv").open(encoding="utf-8", newline="") as table:
            records = sum(1 for _record in csv.DictReader(table))
        yield f"{len(content)} pages, and {records} sample records with the fields {names}. The questions:"
    for item in items:
        kind = ITEM_TYPES.get(item["type"])
        if kind is not None and item.get("description"):
            yield f"- {item['description']} (*{kind.title}*{_options(item)})"


def _items(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the items of a layout or collection in their order."""
    if isinstance(value, dict):
        if isinstance(value.get("type"), str):
            yield value
        else:
            yield from (item for inner in value.values() for item in _items(inner))
    elif isinstance(value, list):
        yield from (item for inner in value for item in _items(inner))


def _options(item: dict[str, Any]) -> str:
    options = item.get("options") or item.get("unit_options") or ()
    labels = [str(option.get("label", "")) if isinstance(option, dict) else str(option) for option in options]
    return f": {', '.join(labels)}" if labels else ""


def statistics_page() -> Iterator[str]:
    """The paragraphs of the page about each statistical method."""
    yield "# Figures and their formulas"
    yield (
        "What each figure of [Results](results.md) says, what it assumes, when not to use it, how it is "
        "computed, and the works that describe it. *Help > Statistical methods* lists them, too."
    )
    yield (
        "For intervals, the table says how many of those from simulated answers contained the true value; "
        f"they are meant to be {NOMINAL_PERCENT} %. `packaging/start.py bench` measures it."
    )
    for name, method in vars(methods).items():
        if isinstance(method, Method):
            yield from _method(name, method)


def _method(name: str, method: Method) -> Iterator[str]:
    title, mark, meaning = method.name.partition(": ")
    text = METHOD_TEXTS[name]
    yield f'## <a id="{name.casefold().replace("_", "-")}"></a>{title}'
    if mark:
        yield f"{meaning[:1].upper()}{meaning[1:]}."
    yield method.assumptions
    if method.survey_assumptions:
        yield f"In a collection: {method.survey_assumptions}"
    yield f"**Formula:** {text.formula}"
    yield f"**Not for** {text.not_for}"
    yield from (f"- {work.reference}" for work in method.works)
    if method is methods.HINTS:
        yield "\n".join(_hints_table())
    if rows := [row for row in coverage() if row.method == name]:
        yield "\n".join(_coverage_table(rows))


def _hints_table() -> Iterator[str]:
    yield "| in files | meaning |"
    yield "|---|---|"
    yield from (f"| `{hint}` | {hints_text(hint)} |" for hint in (f"{UNDER_1_S}=3", *HINT_TEXTS))


def _coverage_table(rows: list[Coverage]) -> Iterator[str]:
    yield "| simulated answers | intervals with the true value |"
    yield "|---|---|"
    yield from (f"| {row.case} | {row.percent:.1f} % |" for row in rows)


def limits_page() -> Iterator[str]:
    """The paragraphs of the page about speed and limits."""
    yield "# Speed and limits"
    yield "## Limits"
    yield "\n".join(_limits_table())
    yield "Limits of layouts are rules: see [Layout rules](rules.md)."
    yield "## Speed"
    yield (
        "How long operations take compared with others on the same computer, so that the figures hold for "
        "yours, too: 2 is twice as long, 0.5 half as long. `packaging/start.py bench` measures them and "
        "compares them with these; a bare loop does the least that such work needs, in Python."
    )
    yield "\n".join(_speed_table())


def _limits_table() -> Iterator[str]:
    limits = (
        ("characters of a cell", f"{csv_rows.MAX_CELL_CHARS:,}"),
        ("characters of a row", f"{row_limits.MAX_ROW_CHARS:,}"),
        ("columns of a file with delimiters", f"{csv_rows.MAX_COLUMNS:,}"),
        ("columns of nested JSON", f"{nested_values.MAX_COLUMNS:,}"),
        ("cells of a table that is pasted", f"{MAX_CELLS:,}"),
        ("files of a folder of media", f"{media_folder.MAX_ENTRIES:,}"),
        ("fields of a schema", f"{parsing.MAX_FIELDS:,}"),
        ("characters of the name of a field", f"{parsing.MAX_KEY_CHARS:,}"),
        (
            "records of a request that appends; more are sent in several",
            f"{datapoints.MAX_RECORDS:,}",
        ),
        ("size of a feedback file", f"{feedback.MAX_BYTES // _GIB} GB"),
    )
    yield "| of | at most |"
    yield "|---|---|"
    yield from (f"| {what} | {value} |" for what, value in limits)


def _speed_table() -> Iterator[str]:
    yield "| operation | compared with | times |"
    yield "|---|---|---|"
    processors = json.loads(_FIGURES.read_text(encoding="utf-8"))["linux"].values()
    for figure in sorted(set().union(*processors)):
        ratio = max(ratios[figure] for ratios in processors if figure in ratios)
        operation, _mark, other = figure.rpartition(" to ")
        yield f"| {operation.removesuffix(',')} | {other} | {ratio} |"
