"""The placeholder of a stage whose content needs a token. The prompt is shown only on request."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.placeholders import EmptyState


class SignInPlaceholder(EmptyState):
    """Shows what is missing and why, with a button to sign in."""

    def __init__(self, title: str, cause: str, parent: QWidget | None = None) -> None:
        self.sign_in_button = Button(_("Sign in"), glyph="lock-simple")
        self.home_button = Button(_("Go to connections"))
        text = _("{cause} You can still edit the study.").format(cause=cause)
        super().__init__("lock-simple", title, text, self.sign_in_button, self.home_button, parent=parent)
        set_help_address(self, "home.md#connections")
