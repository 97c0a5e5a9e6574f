"""The next step of a stage: a text about its state, and what the primary button of its header does."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from batchwright.ui.widgets.headings import StageHeader

A = TypeVar("A")


@dataclass(frozen=True)
class NextStep(Generic[A]):
    """A text about the current state, and the button for the next step."""

    text: str
    action: A | None = None
    """What the button does."""
    button: str = ""
    """The text of the button; empty without a button."""
    glyph: str = ""
    keys: str = ""
    stage: str = ""
    """The id of the stage that the button shows, before it does anything else."""
    disabled_reason: str = ""
    """Why the step is not possible now; empty if it is."""


def show_next_step(header: StageHeader, step: NextStep[Any]) -> None:
    """Show the text and the button in the header of a stage."""
    header.show_subtitle(step.text)
    header.show_primary(step.button, glyph=step.glyph, keys=step.keys, disabled_reason=step.disabled_reason)
