"""Status texts: the state of the layout, the selection, and when a page is shown."""

from batchwright.base.i18n import _, ngettext
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, Level
from batchwright.layout.rules.problems import Severity
from batchwright.ui.editor.item_labels import selection_phrase
from batchwright.ui.editor.problem_signs import severity_count_text
from batchwright.ui.editor.state import EditorState


def status_text(model: EditorState) -> str:
    """The state of the layout and the next step."""
    page, layout, errors = model.page, model.layout, model.error_count()
    if not layout.pages:
        return _("No pages yet. Add a page, or drag an item onto the page.")
    if errors:
        template = ngettext(
            "{count} error to fix before this layout can be sent.",
            "{count} errors to fix before this layout can be sent.",
            errors,
        )
        unfilled = model.unfilled_count()
        rest = severity_count_text(Severity.UNFILLED, unfilled)
        return template.format(count=errors) + (f" {rest[:1].upper()}{rest[1:]}." if unfilled else "")
    if page is not None and not page.children:
        number = (model.page_index or 0) + 1
        return _("Page {number} is new. Add items to it.").format(number=number)
    if unfilled := model.unfilled_count():
        template = ngettext(
            "{count} field to fill in before this layout can be sent.",
            "{count} fields to fill in before this layout can be sent.",
            unfilled,
        )
        return template.format(count=unfilled)
    pages, items = len(layout.pages), model.item_count()
    counts = ", ".join(
        (
            ngettext("{count} page", "{count} pages", pages).format(count=pages),
            ngettext("{count} item", "{count} items", items).format(count=items),
        )
    )
    if model.study.is_collection:
        return f"{counts}."
    if model.study.schema is None:
        return _("{counts}. Fields cannot be checked yet: no schema attached.").format(counts=counts)
    return _("{counts}. All fields match the schema.").format(counts=counts)


def selection_text(model: EditorState) -> str:
    """The number of selected nodes; empty for a single one, which is named elsewhere."""
    count = len(model.targets)
    return selection_phrase(model.level() or Level.PAGE, count) if count > 1 else ""


def display_frequency(page: Page | InvalidNode, *, is_collection: bool) -> str:
    """When, and how often, participants see a page."""
    if is_collection:
        return _("shown once")
    position = page.position if isinstance(page, Page) else "body"
    texts = {"intro": _("shown once, before all records"), "outro": _("shown once, after all records")}
    return texts.get(position, _("shown once for each record"))
