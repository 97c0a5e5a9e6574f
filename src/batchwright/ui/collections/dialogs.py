"""The dialogs of the Collections stage: create, replace, copy."""

from collections.abc import Sequence

from PySide6.QtWidgets import QRadioButton
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.client.content_review import ContentReview
from batchwright.ui.connections.labels import live_phrase
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.publishing.publishable import UpdateTexts
from batchwright.ui.review.conflict_dialog import ConflictTexts
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.name_dialog import NameDialog
from batchwright.ui.widgets.toggles import explained_choice
from batchwright.wire.collections import Collection

_MAX_EXISTING = 4
"""Maximum number of existing collections that the dialog offers."""


def create_dialog(name: str, service: str) -> Dialog:
    """The confirmation before a collection is created at a live service."""
    dialog = Dialog(
        _("Create the collection “{name}”?").format(name=name),
        _("Creates a collection with the pages of the study. It can be used at once; it needs no setup."),
        _("Create collection"),
        ButtonKind.LIVE,
        help_address="collections.md#create-one",
    )
    dialog.warn_if_live(service)
    return dialog


def update_texts(collection: Collection, _review: ContentReview, live: str) -> UpdateTexts:
    """The texts of the review of an update; `live` is empty for the service on this computer."""
    text = _("The collection “{name}” {there} is updated to match the study.")
    return UpdateTexts(
        text.format(name=collection.name, there=live_phrase(live)),
        _("Save to the service"),
        (_("Participants see the changes at once."),),
        _("Answers to questions that are removed stay in the export."),
    )


def conflict_texts(name: str, since: str, live: str) -> ConflictTexts:
    """The texts of the dialog about changes that others have made to the collection.

    Args:
        name: the name of the collection.
        since: when the study was last sent; empty if that is unknown.
        live: name of the live service; empty for the service on this computer.
    """
    text = _("Someone else, or another copy of the study, has changed the collection {there}.")
    if since:
        text = _(
            "Someone else, or another copy of the study, has changed the collection {there} since this study "
            "last sent it ({time})."
        )
    return ConflictTexts(
        _("“{name}” was changed elsewhere").format(name=name),
        text.format(there=live_phrase(live), time=since),
        _("Keep my version as a new collection"),
        _("The existing collection keeps their version and answers."),
    )


class ExistingCollectionDialog(Dialog):
    """Asks whether to update one of the collections that the study may have been sent to before.

    Args:
        collections: these collections, the most similar one first.
    """

    help_address = "collections.md#another-one"

    def __init__(self, collections: Sequence[Collection]) -> None:
        super().__init__(
            _("This collection may exist already"),
            _(
                "The file of the study does not contain the id of its collection, but the workspace has one "
                "with the same name or the same items."
            ),
            _("Continue"),
        )
        self.collection_id = ""
        """The id of the collection to update, once the dialog was accepted; empty to create another one."""
        self._ids: dict[QRadioButton, str] = {}
        for collection in collections[:_MAX_EXISTING]:
            button = QRadioButton(_("Update “{name}”").format(name=collection.name))
            self._ids[button] = collection.id
            self.add(explained_choice(button, _existing_text(collection)))
        another = QRadioButton(_("Create another collection"))
        self.add(explained_choice(another, _("The existing ones stay as they are, with their answers.")))
        next(iter(self._ids)).setChecked(True)

    @override
    def accept(self) -> None:
        self.collection_id = next((id for button, id in self._ids.items() if button.isChecked()), "")
        super().accept()


def _existing_text(collection: Collection) -> str:
    """Number of pages, when the collection was changed, and its id."""
    texts: list[str] = []
    if (count := collection.page_count) is not None:
        texts.append(ngettext("{count} page", "{count} pages", count).format(count=number(count)))
    if (changed := collection.last_modified_at or collection.created_at) is not None:
        texts.append(_("last changed {time}").format(time=short_datetime(changed)))
    return "  ·  ".join([*texts, collection.id])


class CopyDialog(NameDialog):
    """Asks for the name of the copy of a collection."""

    help_address = "collections.md#another-one"

    def __init__(self, name: str, live: str) -> None:
        super().__init__(
            _("Copy the collection"),
            _("The copy has the task details and the pages, but no answers."),
            _("Copy"),
            field=_("Name of the copy"),
            name=f"{name} (Copy)",
            missing=_("Enter a name for the copy first"),
            is_live=bool(live),
        )
        self.warn_if_live(live)
