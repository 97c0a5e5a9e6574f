"""The study's dataset in a few words, below the schema: whether it is as in view, and what can be done."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import abbreviated_id, number, records
from batchwright.ui.data.remote_dataset import RemoteDataset
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import tip
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label


class DatasetCard(Surface):
    """There while the study has a dataset at the active connection that was seen, or could not be."""

    change_pressed = Signal()
    take_pressed = Signal()

    def __init__(self, held: RemoteDataset, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.TOP, parent)
        self.setAccessibleName(_("Dataset"))
        self._held = held
        self._name = ElidedLabel("", TextRole.NAME)
        self._facts = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._sign = Glyph("check-circle-fill", "ok", 16)
        self._says = Label("", TextRole.SMALL, "text2", wraps=True)
        self._change = Button(_("Change the dataset's schema"), height=ButtonSize.NOTICE)
        self._change.clicked.connect(self.change_pressed)
        self._take = Button(_("Take its schema"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._take.clicked.connect(self.take_pressed)
        self._again = Button(_("Retry"), height=ButtonSize.NOTICE)
        self._again.clicked.connect(held.look_again)
        self._sign_in = Button(_("Sign in"), height=ButtonSize.NOTICE)
        self._sign_in.clicked.connect(held.sign_in)
        state = row(gap=8)
        state.put(self._sign)
        state.addWidget(self._says, 1)
        buttons = row(self._change, self._take, self._again, self._sign_in, None, gap=4)
        column(self._name, self._facts, state, buttons, gap=4, margins=(15, 10, 12, 2), parent=self)

    def show_held(self) -> None:
        """Show the dataset as it was last seen."""
        held = self._held
        dataset, fault = held.dataset, held.fault
        self.setVisible(dataset is not None or fault is not None)
        differs = held.differs
        self._change.setVisible(differs)
        self._take.setVisible(differs and held.schema is not None)
        self._again.setVisible(fault is not None and not held.needs_token)
        self._sign_in.setVisible(held.needs_token)
        self._facts.setVisible(dataset is not None)
        if fault is not None:
            says = _("Sign in to see the dataset.") if held.needs_token else fault.what
            self._show(_("Dataset {id}").format(id=abbreviated_id(held.remote.dataset_id or "")), "", says)
            self._sign.show_glyph(
                *(("lock-simple", "text2") if held.needs_token else ("warning-circle-fill", "err"))
            )
            self.setToolTip(tip(fault.remedy))
        elif dataset is not None:
            name = _("Dataset “{name}”").format(name=dataset.name)
            self._show(name, _facts(held), _state(held))
            self._sign.show_glyph(*(("warning-fill", "warn") if differs else ("check-circle-fill", "ok")))
            self.setToolTip(tip(dataset.id))

    def _show(self, name: str, facts: str, says: str) -> None:
        self._name.setText(name)
        self._facts.setText(facts)
        self._says.setText(says)


def _facts(held: RemoteDataset) -> str:
    dataset = held.dataset
    if dataset is None:
        return ""
    facts = [records(dataset.total_datapoint_count)]
    if dataset.is_v4:
        version = _("Version {version}").format(version=number(dataset.schema_version or 0))
        facts.append(version if held.schema else _("No schema yet"))
    else:
        facts.append(_("V3"))
    return "  ·  ".join((*facts, abbreviated_id(dataset.id)))


def _state(held: RemoteDataset) -> str:
    if held.dataset is not None and not held.dataset.is_v4:
        return _("A V3 dataset has no schema and takes no more records.")
    if held.schema is None:
        return _("It has no schema yet, and imports wait for one.")
    return _("Its schema differs from this one.") if held.differs else _("It has this schema.")
