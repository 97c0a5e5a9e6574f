"""The fields of the proxy in Settings: that of the system, or a URL with user name and password."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.base.i18n import _
from batchwright.base.network_settings import NetworkSettings, proxy_error
from batchwright.base.policy import NO_POLICY, PROXY, PROXY_USER, Policy
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.fields import InputField, labelled
from batchwright.ui.widgets.toggles import SegmentedControl

_SYSTEM, _MANUAL = "system", "manual"


class ProxyFields(QWidget):
    """Shows a proxy, and emits the entered one when a field is left and all are valid."""

    entered = Signal(str, str, str)
    """URL, user name, and password; the password is empty if it was not entered."""

    def __init__(self, network: NetworkSettings, policy: Policy = NO_POLICY) -> None:
        super().__init__()
        self._kind = SegmentedControl(_("Proxy"), [(_SYSTEM, _("System"), ""), (_MANUAL, _("Manual"), "")])
        self._kind.choose(_MANUAL if network.proxy else _SYSTEM)
        self._url_line, self._user_line = QLineEdit(network.proxy), QLineEdit(network.proxy_user)
        self._password_line = QLineEdit()
        self._url_line.setPlaceholderText("http://proxy.example.org:8080")
        self._password_line.setEchoMode(QLineEdit.EchoMode.Password)
        self._url = InputField(
            _("URL of the proxy"),
            self._url_line,
            hint=_("For hosted services. The service on this computer is reached directly."),
        )
        self._user = InputField(
            _("User name for the proxy"), self._user_line, hint=_("Only if the proxy requires one.")
        )
        self._password = InputField(
            _("Password for the proxy"),
            self._password_line,
            hint=_("Saved in the keyring of this computer, never in a file."),
        )
        self._initial = network
        self._update_placeholder()
        self._manual = QWidget()
        column(self._url, self._user, self._password, gap=10, parent=self._manual)
        self._manual.setVisible(bool(network.proxy))
        lock_reason = policy.lock_reason(PROXY)
        reason_below = "" if network.proxy else lock_reason  # otherwise it is below the URL
        column(labelled(_("Proxy"), self._kind, reason_below), self._manual, gap=10, parent=self)
        if lock_reason:
            self._kind.setEnabled(False)
            self._url.lock(lock_reason)
        if user_reason := policy.lock_reason(PROXY_USER):
            self._user.lock(user_reason)
        self._kind.chosen.connect(self._on_kind_chosen)
        for line in (self._url_line, self._user_line, self._password_line):
            line.editingFinished.connect(self.apply)
            line.textChanged.connect(self._update_placeholder)

    def _update_placeholder(self) -> None:
        initial, entered = self._initial, (self._url_line.text().strip(), self._user_line.text().strip())
        is_saved = bool(initial.proxy_user) and entered == (initial.proxy, initial.proxy_user)
        text = _("Leave empty to keep the saved password") if is_saved else ""
        self._password_line.setPlaceholderText(text)

    @property
    def _is_manual(self) -> bool:
        return self._kind.current == _MANUAL

    def _on_kind_chosen(self, kind: str) -> None:
        self._manual.setVisible(kind == _MANUAL)
        if kind == _MANUAL and not self._url_line.text():
            self._url_line.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.apply()

    def apply(self) -> InputField | None:
        """Emit what was entered if it is valid; otherwise show errors, and return the first such field."""
        url, user, password = (
            self._url_line.text().strip(),
            self._user_line.text().strip(),
            self._password_line.text(),
        )
        url_error = proxy_error(url) if self._is_manual else ""
        user_error = _("Enter the user name of this password.") if password and not user else ""
        self._url.show_error(url_error)
        self._user.show_error(user_error if self._is_manual else "")
        if url_error:
            return self._url
        if self._is_manual and user_error:
            return self._user
        self.entered.emit(*((url, user, password) if self._is_manual else ("", "", "")))
        return None
