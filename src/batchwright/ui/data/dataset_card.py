"""A summary of the study's dataset below the schema; if the schemas differ, buttons change one of them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import abbreviated_id, number, records
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label


class DatasetCard(Surface):
    """Visible while the dataset at the active connection is loaded, or if loading it has failed."""

    schema_change_requested = Signal()
    use_schema_requested = Signal()

    def __init__(self, remote: RemoteDataset, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.TOP, parent)
        self.setAccessibleName(_("Dataset"))
        self._remote = remote
        self._name = ElidedLabel("", TextRole.NAME)
        self._facts = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._glyph = Glyph("check-circle-fill", "ok", 16)
        self._text = Label("", TextRole.SMALL, "text2", wraps=True)
        self._change = Button(_("Change the dataset's schema"), height=ButtonSize.NOTICE)
        self._change.clicked.connect(self.schema_change_requested)
        self._use_schema = Button(_("Use its schema"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._use_schema.clicked.connect(self.use_schema_requested)
        self._retry = Button(_("Retry"), height=ButtonSize.NOTICE)
        self._retry.clicked.connect(remote.refresh)
        self._sign_in = Button(_("Sign in"), height=ButtonSize.NOTICE)
        self._sign_in.clicked.connect(remote.sign_in)
        state = row(gap=8)
        state.add(self._glyph)
        state.addWidget(self._text, 1)
        buttons = row(self._change, self._use_schema, self._retry, self._sign_in, None, gap=4)
        column(self._name, self._facts, state, buttons, gap=4, margins=(15, 10, 12, 2), parent=self)

    def show_dataset(self) -> None:
        """Show the dataset as last loaded."""
        remote = self._remote
        dataset, error = remote.dataset, remote.error
        self.setVisible(dataset is not None or error is not None)
        differs = remote.schema_differs
        self._change.setVisible(differs)
        self._use_schema.setVisible(differs and remote.schema is not None)
        self._retry.setVisible(error is not None and not remote.needs_sign_in)
        self._sign_in.setVisible(remote.needs_sign_in)
        self._facts.setVisible(dataset is not None)
        if error is not None:
            text = _("Sign in to see the dataset.") if remote.needs_sign_in else error.what
            self._show(_("Dataset {id}").format(id=abbreviated_id(remote.binding.dataset_id or "")), "", text)
            self._glyph.show_glyph(
                *(("lock-simple", "text2") if remote.needs_sign_in else ("warning-circle-fill", "err"))
            )
            self.setToolTip(tooltip_text(error.remedy))
        elif dataset is not None:
            name = _("Dataset “{name}”").format(name=dataset.name)
            self._show(name, _facts(remote), _state(remote))
            self._glyph.show_glyph(*(("warning-fill", "warn") if differs else ("check-circle-fill", "ok")))
            self.setToolTip(tooltip_text(dataset.id))

    def _show(self, name: str, facts: str, text: str) -> None:
        self._name.setText(name)
        self._facts.setText(facts)
        self._text.setText(text)


def _facts(remote: RemoteDataset) -> str:
    dataset = remote.dataset
    if dataset is None:
        return ""
    facts = [records(dataset.total_datapoint_count)]
    if dataset.is_v4:
        version = _("Version {version}").format(version=number(dataset.schema_version or 0))
        facts.append(version if remote.schema else _("No schema yet"))
    else:
        facts.append(_("V3"))
    return "  ·  ".join((*facts, abbreviated_id(dataset.id)))


def _state(remote: RemoteDataset) -> str:
    if remote.dataset is not None and not remote.dataset.is_v4:
        return _("A V3 dataset has no schema, and no records can be appended.")
    if remote.schema is None:
        return _("It has no schema yet; imports wait for one.")
    return _("Its schema differs from this one.") if remote.schema_differs else _("It has this schema.")
