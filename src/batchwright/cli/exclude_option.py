"""What `analyse --exclude` names: files with exclusions, rules, and ids of participants and answers."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusion_rules import ExclusionRule, Measure, parse_rule
from batchwright.analysis.store.exclusions import Exclusions, read_exclusions
from batchwright.base.i18n import _
from batchwright.cli.input_files import InputError
from batchwright.data_files.rows import UnreadableFile


def read_excluded(
    names: Sequence[str], saved: Exclusions, table: AnswerTable, *, has_gold: bool
) -> Exclusions:
    """The exclusions in files, or without one those of the answers, and the rules and ids that are named.

    Args:
        names: what was given.
        saved: the exclusions that the answers were saved with.
        table: the answers.
        has_gold: whether the field with the right answers is known.

    Raises:
        InputError: a file cannot be used, a name is neither of them, or a rule needs that field.
        OSError: a file cannot be opened.
    """
    paths = [Path(name) for name in names if Path(name).is_file()]
    named = _named([name for name in names if not Path(name).is_file()], table)
    found = [*map(_read, paths), named] if paths else [saved, named]
    exclusions = reduce(Exclusions.with_those_of, found)
    for rule in exclusions.rules:
        if rule.measure is Measure.GOLD and not has_gold:
            text = _("“{rule}” needs the field with the right answers: --gold.")
            raise InputError(text.format(rule=rule.text))
    return exclusions


def _named(names: Sequence[str], table: AnswerTable) -> Exclusions:
    """The rules and ids."""
    rules: dict[ExclusionRule, None] = {}
    participants, answers = dict[str, str](), dict[str, str]()
    known_participants = set(table.participants.values)
    known_answers = set(table.ids) if names else set()
    reason = _("Named in the command")
    for name in names:
        if rule := _rule(name):
            rules[rule] = None
        elif name in known_participants:
            participants[name] = reason
        elif name in known_answers:
            answers[name] = reason
        else:
            text = _(
                "“{name}” is neither a file with exclusions, nor a rule such as seconds<3, nor the id of a "
                "participant or an answer."
            )
            raise InputError(text.format(name=name))
    return Exclusions(participants, answers, tuple(rules))


def _read(path: Path) -> Exclusions:
    try:
        return read_exclusions(path)
    except UnreadableFile as error:
        text = _("{path} cannot be read: {reason} {remedy}")
        raise InputError(text.format(path=path, reason=error.reason, remedy=error.remedy)) from None


def _rule(text: str) -> ExclusionRule | None:
    try:
        return parse_rule(text)
    except ValueError as error:
        raise InputError(_("--exclude “{rule}”: {reason}").format(rule=text, reason=error)) from None
