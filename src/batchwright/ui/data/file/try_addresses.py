"""The command “Try the addresses”: whether the pictures, recordings or videos of a column can be loaded."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QComboBox, QWidget

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import joined
from batchwright.data_files.column_addresses import MAX_ADDRESSES, ColumnAddresses, column_addresses
from batchwright.data_files.views.record_query import ConditionKind, RecordCondition, RecordQuery
from batchwright.schema.model import FieldType
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.core.formatting import number
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.count_line import count_line
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.text import Label
from batchwright.workflows.image_errors import ImageProblem

_PROBLEMS = {
    ImageProblem.NO_RESPONSE: N_("No answer"),
    ImageProblem.NOT_FOUND: N_("Not found"),
    ImageProblem.REFUSED: N_("Refused by the server"),
    ImageProblem.UNTRUSTED: N_("Certificate not trusted"),
    ImageProblem.TOO_LARGE: N_("Too large"),
    ImageProblem.NOT_AN_IMAGE: N_("Something else than the field says"),
    ImageProblem.PRIVATE: N_("In a private network"),
    ImageProblem.NOT_HTTPS: N_("Leads to no https address"),
}
_NAMED_HOSTS = 3
_LISTING = "list addresses"


async def try_addresses(context: DataContext, first: int | None = None) -> None:
    """Ask whether to try the addresses of a column, show the result, and filter by what is chosen in it.

    `first` is the column that is proposed, counted from zero.
    """
    state, offered = context.state, context.state.address_columns
    if state.file.summary is None or not offered:
        return
    names = [state.file.summary.columns[at] for at, _type in offered]
    dialog = TryAddressesDialog(names, next((n for n, (at, _t) in enumerate(offered) if at == first), 0))
    trial = _Trial(context, dialog, offered)
    dialog.column_chosen = trial.list_addresses
    if await dialog.ask_until(context.window.window, trial.attempt) and dialog.chosen:
        at, _type = offered[trial.choice]
        condition = RecordCondition(ConditionKind.ONE_OF, at, tuple(dialog.chosen))
        state.views.set_query(RecordQuery((condition,), search=state.views.query.search))


class TryAddressesDialog(Dialog):
    """Asks for the column; shows the progress and then what was found."""

    help_address = "data.md#pictures-and-media"

    def __init__(self, columns: Sequence[str], current: int) -> None:
        text = _(
            "Each address is asked for its size and its first bytes, a few at a time, without your token."
            " The servers see that this computer asks."
        )
        super().__init__(_("Try the addresses"), text, _("Try"))
        self.chosen: Sequence[str] = ()
        """The addresses whose records are to be shown."""
        self.column_chosen: Callable[[int], object] = lambda _column: None
        self._columns = QComboBox()
        self._columns.addItems(list(columns))
        self._columns.setCurrentIndex(current)
        self._columns.currentIndexChanged.connect(lambda index: self.column_chosen(index))
        self._amount = Label(_("Reading every record"), TextRole.SMALL, "text2", wraps=True, tabular=True)
        self._progress = ProgressRow(_("Try the addresses"))
        self._lines = QWidget()
        self._list = column(gap=0, parent=self._lines)
        self.add(InputField(_("Column"), self._columns), self._amount, self._progress, self._lines)
        self._progress.hide()
        self._lines.hide()
        self.accept_button.setEnabled(False)

    @property
    def column(self) -> int:
        """The position of the column among those that are offered."""
        return self._columns.currentIndex()

    def show_reading(self) -> None:
        """Show that the addresses of another column are being listed."""
        self.accept_button.setEnabled(False)
        self._lines.hide()
        self._amount.setText(_("Reading every record"))

    def show_amount(self, text: str, *, can_try: bool) -> None:
        """Show how many addresses there are."""
        self._amount.setText(text)
        self.accept_button.setEnabled(can_try)

    def show_progress(self, done: int, total: int) -> None:
        """Show how many addresses were tried."""
        self._columns.setEnabled(False)
        self.accept_button.setEnabled(False)
        self._lines.hide()
        self._progress.setVisible(True)
        text = _("{done} of {total}").format(done=number(done), total=number(total))
        self._progress.show_progress(text, done / total if total else None)

    def show_result(self, good: int, found: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Show how many addresses are good, and the others by what is wrong with them."""
        self._end()
        while (item := self._list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._list.addWidget(count_line(_("Can be loaded"), good))
        for text, addresses in found:
            self._list.addWidget(count_line(text, len(addresses), partial(self._choose, addresses)))
        self._lines.show()
        self.accept_button.setText(_("Try again"))
        self.cancel_button.setText(_("Close"))

    def show_error(self, text: str) -> None:
        """Show why no address could be tried."""
        self._end()
        self._amount.setText(text)

    def _end(self) -> None:
        self._progress.hide()
        self._columns.setEnabled(True)
        self.accept_button.setEnabled(True)

    def _choose(self, addresses: Sequence[str]) -> None:
        self.chosen = addresses
        self.done(int(Dialog.DialogCode.Accepted))


class _Trial:
    """Lists the addresses of the chosen column, and tries them."""

    def __init__(
        self, context: DataContext, dialog: TryAddressesDialog, offered: Sequence[tuple[int, FieldType]]
    ) -> None:
        self._context, self._dialog, self._offered = context, dialog, offered
        self._listed: dict[int, ColumnAddresses] = {}
        self.choice = dialog.column
        """The position of the column among those that are offered."""
        dialog.finished.connect(lambda: context.window.tasks.cancel(_LISTING))
        self.list_addresses(self.choice)

    def list_addresses(self, choice: int) -> None:
        """List the addresses of a column in the background, unless that was done."""
        self.choice = choice
        self._dialog.show_reading()
        self._context.window.tasks.cancel(_LISTING)
        self._context.window.tasks.start(_LISTING, lambda: self._list(choice))

    async def _list(self, choice: int) -> None:
        state = self._context.state
        summary, study = state.file.summary, state.study
        at, _type = self._offered[choice]
        if summary is None or study.data is None:
            return
        if choice not in self._listed:
            file = await study.records_files.of(study.data)
            self._listed[choice] = await run_in_process(
                column_addresses, file, summary.columns, at, on_progress=lambda _part: None
            )
        listed = self._listed[choice]
        self._dialog.show_amount(_amount(listed), can_try=bool(listed.addresses))

    async def attempt(self) -> bool:
        """Try the addresses, and show the result; the dialog stays open."""
        from batchwright.workflows.data.try_addresses import TriedAddresses
        from batchwright.workflows.data.try_addresses import try_addresses as try_all

        dialog, session = self._dialog, self._context.state.session
        listed, (_at, type) = self._listed[self.choice], self._offered[self.choice]
        total = len(listed.addresses)
        dialog.show_progress(0, total)

        def on_progress(tried: TriedAddresses) -> None:
            dialog.show_progress(tried.done, total)

        try:
            network = await session.network()
            tried = await try_all(listed.addresses, type, network, session.connection.url, on_progress)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            message = self._context.window.tasks.message(error)
            dialog.show_error(f"{message.what} {message.remedy}")
            return False
        found = [(_(_PROBLEMS[problem]), urls) for problem, urls in tried.problems.items()]
        if tried.untried:
            found.append(
                (_("Not tried, after the server gave no answer or asked for a pause"), tried.untried)
            )
        dialog.show_result(tried.good, found)
        return False


def _amount(listed: ColumnAddresses) -> str:
    """How many addresses would be tried, on which servers."""
    if not listed.addresses:
        if listed.has_local:
            return _("The files are on this computer; there is no address to try.")
        return _("The column has no https addresses.")
    count = len(listed.addresses)
    if listed.is_cut:
        text = _("The first {count} different addresses, on {hosts}").format(
            count=number(MAX_ADDRESSES), hosts=_hosts(listed.hosts)
        )
    else:
        text = ngettext(
            "{count} address, on {hosts}", "{count} different addresses, on {hosts}", count
        ).format(count=number(count), hosts=_hosts(listed.hosts))
    return text


def _hosts(hosts: Sequence[str]) -> str:
    more = len(hosts) - _NAMED_HOSTS
    named = joined(hosts[:_NAMED_HOSTS])
    if more <= 0:
        return named
    text = ngettext("{hosts} and {count} more server", "{hosts} and {count} more servers", more)
    return text.format(hosts=named, count=number(more))
