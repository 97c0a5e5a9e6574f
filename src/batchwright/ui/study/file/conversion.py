"""Converting a batch study to a collection study and back, as a copy; the dialog lists what is lost."""

from collections.abc import Iterator

from batchwright.base.i18n import _, ngettext, pgettext
from batchwright.layout.collection_pages import single_column
from batchwright.layout.model import Layout, Page, Row
from batchwright.local.projects import Project, StudyKind
from batchwright.ui.core.formatting import number
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.text import Label


class ConversionDialog(Dialog):
    """Asks whether to convert a study, and lists what the copy will not have."""

    help_address = "collections.md#from-one-kind-to-the-other"

    def __init__(self, project: Project) -> None:
        is_batch = project.kind is StudyKind.BATCH
        super().__init__(
            _("Convert to a collection") if is_batch else _("Convert to a batch"),
            _("This opens a copy. The study and what it created at a service stay as they are."),
            pgettext("study", "Convert"),
        )
        if is_batch and (fields := dataset_field_count(project.layout)):
            text = ngettext(
                "{count} item shows a dataset field, and a collection has no dataset. Remove it first.",
                "{count} items show dataset fields, and a collection has no dataset. Remove them first.",
                fields,
            )
            self.add_warning(text.format(count=number(fields)), is_live=False)
            self.accept_button.set_disabled_reason(_("The pages show dataset fields"))
        lost = list(losses(project))
        if not lost:
            self.add(Label(_("The copy has all pages and items."), wraps=True))
        for text in lost:
            self.add(Label(f"• {text}", wraps=True))


def converted(project: Project) -> Project:
    """The other kind of study with the same pages: without data, and not connected to any service."""
    to_collection = project.kind is StudyKind.BATCH
    return Project(
        project.name,
        single_column(project.layout) if to_collection else project.layout,
        page_names=project.page_names,
        details=project.details,
        kind=StudyKind.COLLECTION if to_collection else StudyKind.BATCH,
        language=project.language,
        translations=project.translations,
    )


def dataset_field_count(layout: Layout) -> int:
    """The number of items that show a dataset field; with any, a layout cannot become a collection."""
    return sum(item.kind == "dataset_field" for _path, item in layout.walk())


def losses(project: Project) -> Iterator[str]:
    """A sentence for each thing that the converted study will not have."""
    if project.kind is StudyKind.COLLECTION:
        return
    pages = [page for page in project.layout.pages if isinstance(page, Page)]
    wide = sum(isinstance(row, Row) and len(row.columns) > 1 for page in pages for row in page.rows)
    if wide:
        text = ngettext(
            "{count} row has two columns; in the copy they are below each other.",
            "{count} rows have two columns; in the copy they are below each other.",
            wide,
        )
        yield text.format(count=number(wide))
    placed = sum(page.position != "body" for page in pages)
    if placed:
        text = ngettext(
            "{count} page is shown only before or after the records; a collection shows each page once.",
            "{count} pages are shown only before or after the records; a collection shows each page once.",
            placed,
        )
        yield text.format(count=number(placed))
    if project.schema is not None or project.data is not None:
        yield _("The schema and the data file are not part of a collection.")
