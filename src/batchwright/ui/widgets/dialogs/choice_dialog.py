"""A dialog with one button per choice."""

from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import NARROW, WIDE, Dialog

Choice = TypeVar("Choice", bound=Enum)


class ChoiceDialog(Dialog, Generic[Choice]):
    """A dialog with several choices: the safe one is the default button, the others are on the left."""

    def __init__(
        self,
        title: str,
        text: str,
        accept: tuple[str, Choice],
        alternatives: Sequence[tuple[str, Choice]],
    ) -> None:
        super().__init__(title, text, accept[0], width=NARROW if len(alternatives) < 2 else WIDE)
        self._choice = accept[1]
        for label, choice in alternatives:
            button = Button(label, height=ButtonSize.DIALOG)
            button.clicked.connect(partial(self._on_clicked, choice))
            self.add_side_button(button)

    async def choose(self, host: QWidget) -> Choice | None:
        """Show the dialog over a window and return the choice; None if cancelled."""
        return self._choice if await self.ask(host) else None

    def _on_clicked(self, choice: Choice) -> None:
        self._choice = choice
        self.accept()
