"""What happened and what to do next, in words, for everything that can go wrong: the one place for it."""

from dataclasses import dataclass
from functools import singledispatch
from textwrap import shorten

from batchwright.api import errors
from batchwright.jobs.monitors import Weather
from batchwright.layout.files import NotALayout
from batchwright.layout.selection import EditRefused
from batchwright.local.connections import NameTaken
from batchwright.local.database import CannotKeep, Damaged, TooNew
from batchwright.local.projects import NotAProject
from batchwright.local.secrets import NoKeyRing
from batchwright.records.json_values import NotJson
from batchwright.records.schema_reading import SchemaFaults
from batchwright.service.host import ServiceDidNotStart
from batchwright.tables.entries import Unreadable
from batchwright.words import _
from batchwright.workflows.benches import NotSignedIn
from batchwright.workflows.bring_data import NotComplete, NotImported
from batchwright.workflows.collect import NotExported
from batchwright.workflows.send_feedback import NotSendable
from batchwright.workflows.set_up import NotSetUp
from batchwright.workflows.watching import LostSight

_SHOWN_REJECTIONS = 10


@dataclass(frozen=True)
class Message:
    """What happened, in one sentence; what to do; and whether it is a fault of this program."""

    what: str
    remedy: str
    is_bug: bool = False

    def __str__(self) -> str:
        return f"{self.what}\n{self.remedy}" if self.remedy else self.what


_LONGEST = 240
"""Characters of an error that nobody foresaw; the whole of it is in the traceback."""


@singledispatch
def describe(error: BaseException) -> Message:
    """The message for any exception; one that nobody foresaw is told as a fault of ours."""
    what = _("Something went wrong that Batchwright did not foresee: {kind}: {text}")
    remedy = _("Please tell the people who made it, with these two lines.")
    first = next(iter(str(error).strip().splitlines()), "")
    return Message(what.format(kind=type(error).__name__, text=shorten(first, _LONGEST)), remedy, is_bug=True)


@describe.register
def _unreachable(error: errors.Unreachable) -> Message:
    return Message(
        _("The service did not answer ({call}: {reason}).").format(call=error.call, reason=error.reason),
        _("Check the network and the address of the service, then try again."),
    )


@describe.register
def _untrusted(error: errors.Untrusted) -> Message:
    return Message(
        _("The certificate of the service is not trusted ({call}).").format(call=error.call),
        _("Check the address. If your organisation has certificates of its own, add them to the connection."),
    )


@describe.register
def _unsure(error: errors.Unsure) -> Message:
    return Message(
        _("The answer to {call} was lost, so it is not known whether it was done.").format(call=error.call),
        _("Look whether it is there before you do it again."),
    )


@describe.register
def _declined(error: errors.Declined) -> Message:
    return Message(
        _("The service refused {call}: {sentence}").format(call=error.call, sentence=error.said.message),
        _("Change what the service names, then try again."),
    )


@describe.register
def _signed_out(error: errors.SignedOut) -> Message:
    return Message(_("The token was not accepted."), _("Give a token that is valid for this service."))


@describe.register
def _no_access(error: errors.NoAccess) -> Message:
    return Message(
        _("The token's owner has no access to the workspace ({call}).").format(call=error.call),
        _("Check the workspace id, or ask the owner of the workspace for access."),
    )


@describe.register
def _feature_off(error: errors.FeatureOff) -> Message:
    return Message(
        _("The workspace does not have this feature ({call}).").format(call=error.call),
        _("Ask the provider to switch it on, or use another workspace."),
    )


@describe.register
def _not_found(error: errors.NotFound) -> Message:
    return Message(
        _("There is nothing under {call} for this token.").format(call=error.call),
        _("Check the id, the workspace and the connection."),
    )


@describe.register
def _conflict(error: errors.Conflict) -> Message:
    return Message(
        _("Something else is still running there: {sentence}").format(sentence=error.said.message),
        _("Wait until it has ended, then try again."),
    )


@describe.register
def _busy(error: errors.Busy) -> Message:
    return Message(_("The service has too many requests at the moment."), _("Wait a minute, then try again."))


@describe.register
def _layout_refused(error: errors.LayoutRefused) -> Message:
    places = "\n".join(f"{issue.place.in_words}: {issue.message}" for issue in error.issues)
    return Message(
        _("The service refused the layout.\n{places}").format(places=places), _("Change these items.")
    )


@describe.register
def _service_fault(error: errors.ServiceFault) -> Message:
    return Message(
        _("The service failed at {call} (status {status}).").format(call=error.call, status=error.status),
        _("This is not your fault. Try again in a while."),
    )


@describe.register
def _expired(error: errors.Expired) -> Message:
    return Message(
        _("The address for the file is not accepted any more."),
        _("Try again: a new address is asked for each time."),
    )


@describe.register
def _nonsense(error: errors.Nonsense) -> Message:
    return Message(
        _("Something answered that is not the service ({call}: {reason}).").format(
            call=error.call, reason=error.reason
        ),
        _("Sign in to the network if it asks for that, and check the address of the service."),
    )


@describe.register
def _file_changed(error: errors.FileChanged) -> Message:
    return Message(
        _("The file changed while it was being sent."),
        _("Wait until nothing writes to it, then send it again."),
    )


@describe.register
def _misconfigured(error: errors.Misconfigured) -> Message:
    return Message(
        _("Nothing was sent: {call}: {reason}").format(call=error.call, reason=error.reason),
        _("Change the connection, then try again."),
    )


@describe.register
def _answers_refused(error: errors.AnswersRefused) -> Message:
    return Message(
        _("A participant page refused a simulated answer: {text}").format(text=error),
        _("Please tell the people who made Batchwright."),
        is_bug=True,
    )


@describe.register
def _not_imported(error: NotImported) -> Message:
    return Message(
        _("The file was not imported: {reason}").format(reason=error),
        _("Mend the file, check it with `batchwright-cli check-data`, and send it again."),
    )


@describe.register
def _not_complete(error: NotComplete) -> Message:
    job = error.job
    rejected, accepted = job.rejected_count or 0, job.accepted_count or 0
    if not rejected + accepted:
        return Message(
            _("The file holds no records, so that there is nothing to ask about."),
            _("Add records, then send it again."),
        )
    sentence = _("record {number}, {field}: {reason}")
    named = [
        sentence.format(number=one.record_index + 1, field=one.field, reason=one.reason)
        for one in (job.errors or ())[:_SHOWN_REJECTIONS]
        if one.record_index is not None
    ]
    what = _(
        "The service rejected {rejected} of {all} records; it makes tasks only of a file of which it accepts "
        "every record."
    ).format(rejected=rejected, all=rejected + accepted)
    return Message(
        "\n".join([what, *named]),
        _(
            "Mend or remove these records (`batchwright-cli check-data` lists them all), then send the file "
            "again."
        ),
    )


@describe.register
def _not_set_up(error: NotSetUp) -> Message:
    return Message(
        _("The tasks could not be made (status {status}).").format(status=error), _("Set up again.")
    )


@describe.register
def _not_exported(error: NotExported) -> Message:
    return Message(
        _("The export could not be made (status {status}).").format(status=error), _("Ask for it again.")
    )


@describe.register
def _lost_sight(error: LostSight) -> Message:
    if error.weather is Weather.SIGNED_OUT:
        return Message(
            _("The token is not accepted any more. What was begun goes on at the service."),
            _("Give a token that is valid, then look again."),
        )
    return Message(
        _("The service cannot be reached. What was begun goes on there."),
        _("Check the network, then look again."),
    )


@describe.register
def _unreadable(error: Unreadable) -> Message:
    return Message(str(error), _("Save the file as UTF-8 CSV or JSONL, then try again."))


@describe.register
def _service_did_not_start(error: ServiceDidNotStart) -> Message:
    return Message(
        _("The service on this computer did not start: {reason}").format(reason=error),
        _("Close other copies of Batchwright, see that the disk has space, then try again."),
    )


@describe.register
def _not_signed_in(error: NotSignedIn) -> Message:
    return Message(
        _("{connection} needs a token.").format(connection=error.connection),
        _("Sign in under Home, Connections, or work on this computer."),
    )


@describe.register
def _name_taken(error: NameTaken) -> Message:
    return Message(
        _("There is a connection called “{name}” already.").format(name=error), _("Choose another name.")
    )


@describe.register
def _not_a_project(error: NotAProject) -> Message:
    return Message(str(error), _("Choose a .batchwright project, or a file with batch_items."))


@describe.register
def _not_sendable(error: NotSendable) -> Message:
    return Message(str(error), _("Choose another file."))


@describe.register
def _no_key_ring(error: NoKeyRing) -> Message:
    return Message(
        _("The key ring of this computer cannot be used: {reason}").format(reason=error),
        _("Unlock it, or use the token for this run only."),
    )


@describe.register
def _too_new(error: TooNew) -> Message:
    return Message(
        _("What Batchwright keeps here was written by a newer version."),
        _("Install the newest Batchwright; nothing has been changed."),
    )


@describe.register
def _damaged(error: Damaged) -> Message:
    return Message(
        _("What Batchwright keeps here cannot be read: {reason}").format(reason=error),
        _("Put a backup in its place, or move the file away to begin anew."),
    )


@describe.register
def _cannot_keep(error: CannotKeep) -> Message:
    return Message(
        _("Batchwright cannot keep what it has to remember: {reason}").format(reason=error),
        _("Make room on the disk, close other copies of Batchwright, then try again."),
    )


@describe.register
def _not_json(error: NotJson) -> Message:
    return Message(
        _("This is no JSON: {reason}").format(reason=error.reason), _("Mend the file, then try again.")
    )


@describe.register
def _schema_faults(error: SchemaFaults) -> Message:
    return Message(
        _("This is no schema: {sentences}").format(sentences=" ".join(error.sentences)),
        _("Mend the schema, then try again."),
    )


@describe.register
def _not_a_layout(error: NotALayout) -> Message:
    return Message(
        _("This is no layout: {reason}").format(reason=error.reason),
        _("Choose a file that holds an array of pages."),
    )


@describe.register
def _edit_refused(error: EditRefused) -> Message:
    return Message(str(error), "")


@describe.register
def _os_error(error: OSError) -> Message:
    what = _("{name}: {reason}").format(
        # Of a renaming that failed, people know the new name.
        name=error.filename2 or error.filename or _("This computer"),
        reason=error.strerror or error,
    )
    return Message(what, _("Check the file, the folder, its rights and the space on the disk."))
