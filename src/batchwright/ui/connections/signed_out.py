"""What a stage shows while only a token could open what it looks for: nobody is asked for one unasked."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.placeholders import EmptyState


class SignInPlaceholder(EmptyState):
    """What is to be seen after signing in, why not before, and the button that asks for the token."""

    def __init__(self, line: str, cause: str, parent: QWidget | None = None) -> None:
        self.sign_in_button = Button(_("Sign in"), glyph="lock-simple")
        self.home_button = Button(_("Go to connections"))
        sentence = _("{cause} The study itself can be worked on without.").format(cause=cause)
        super().__init__("lock-simple", line, sentence, self.sign_in_button, self.home_button, parent=parent)
