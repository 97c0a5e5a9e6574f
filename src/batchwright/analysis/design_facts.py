"""What the fields of a preparation say about the design of the records that were answered."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from batchwright.analysis.statistics.participants.self_agreement import are_about_copies, copies_sentence
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import count_text, joined, percent_text, quoted
from batchwright.prepare.columns import BLOCK, GOLD_ANSWER, SAMPLE, STRATUM, SYSTEM_LEFT, SYSTEM_RIGHT
from batchwright.prepare.designs.item_sets import set_balance
from batchwright.prepare.designs.pair_designs import efficiency
from batchwright.prepare.steps.pairs import efficiency_note
from batchwright.schema.item_sets import identity_column, letters_of


def design_facts(table: AnswerTable) -> str:
    """The design of the answered records in sentences; empty if no preparation is known.

    Records that came twice count once.
    """
    used = np.zeros(len(table.tasks.values), bool)
    used[table.tasks.codes[~are_about_copies(table)]] = True
    fields = {name: column.take(used) for name, column in table.fields.items()}
    sentences = (
        *_of_pairs(fields),
        *_of_sets(fields),
        *_of_parts(fields),
        *_of_known_answers(fields),
        copies_sentence(table),
    )
    return " ".join(filter(None, sentences))


def _of_pairs(fields: dict[str, TextColumn]) -> Iterator[str]:
    if not {SYSTEM_LEFT, SYSTEM_RIGHT} <= fields.keys():
        return
    sides = [fields[name].texts() for name in (SYSTEM_LEFT, SYSTEM_RIGHT)]
    pairs = [(left, right) for left, right in zip(*sides, strict=True) if left and right]
    if not pairs:
        return
    systems = sorted({name for pair in pairs for name in pair})
    number = {name: index for index, name in enumerate(systems)}
    counts = np.zeros((len(systems), len(systems)), np.int64)
    np.add.at(counts, tuple(np.array([[number[name] for name in pair] for pair in pairs]).T), 1)
    of_pairs = (counts + counts.T)[np.triu_indices(len(systems), 1)]
    text = ngettext(
        "{count} answered record compares two of {systems} systems, each pair of systems {times}.",
        "{count} answered records compare two of {systems} systems, each pair of systems {times}.",
        len(pairs),
    )
    yield text.format(count=count_text(len(pairs)), systems=count_text(len(systems)), times=_times(of_pairs))
    text = _("Each system stood on the left in {share} of its comparisons.")
    shares = counts.sum(axis=1) / np.maximum(1, counts.sum(axis=0) + counts.sum(axis=1))
    least, most = percent_text(shares.min()), percent_text(shares.max())
    share = least if least == most else _("{least} to {most}").format(least=least, most=most)
    yield text.format(share=share)
    yield efficiency_note(efficiency(counts + counts.T))


def _of_sets(fields: dict[str, TextColumn]) -> Iterator[str]:
    columns = [fields[identity_column(letter)].texts() for letter in letters_of(fields)]
    rows = [row for row in zip(*columns, strict=True) if all(row)]
    if not rows:
        return
    items = sorted({item for row in rows for item in row})
    number = {item: index for index, item in enumerate(items)}
    balance = set_balance(len(items), np.array([[number[item] for item in row] for row in rows]))
    text = ngettext(
        "{count} answered record is a set of {size} of {items} items, each of which is shown {times}.",
        "{count} answered records are sets of {size} of {items} items, each of which is shown {times}.",
        len(rows),
    )
    names = {"count": len(rows), "size": len(columns), "items": len(items)}
    yield text.format(
        **{name: count_text(value) for name, value in names.items()}, times=_times(balance.of_items)
    )
    of_pairs = np.zeros(len(items) * (len(items) - 1) // 2, np.int64)
    of_pairs[: len(balance.of_pairs)] = balance.of_pairs
    yield _("Each pair of items is together {times}.").format(times=_times(of_pairs))


def _of_parts(fields: dict[str, TextColumn]) -> Iterator[str]:
    texts = {
        STRATUM: _("Answered records by stratum: {numbers}."),
        SAMPLE: _("Answered records by part of the sample: {numbers}."),
        BLOCK: _("Answered records by block: {numbers}."),
    }
    for name, text in texts.items():
        counts = Counter(filter(None, fields[name].texts())) if name in fields else {}
        if 1 < len(counts) <= _MAX_PARTS:
            yield text.format(
                numbers=joined(
                    f"{quoted(part)} {count_text(count)}" for part, count in sorted(counts.items())
                )
            )


_MAX_PARTS = 12
"""Maximum number of strata or blocks that are named."""


def _of_known_answers(fields: dict[str, TextColumn]) -> Iterator[str]:
    count = sum(map(bool, fields[GOLD_ANSWER].texts())) if GOLD_ANSWER in fields else 0
    if count:
        text = ngettext(
            "The right answer about {count} answered record is known.",
            "The right answers about {count} answered records are known.",
            count,
        )
        yield text.format(count=count_text(count))


def _times(counts: np.ndarray) -> str:
    least, most = int(counts.min()), int(counts.max())
    if least == most:
        return ngettext("{count} time", "{count} times", most).format(count=count_text(most))
    return _("{least} to {most} times").format(least=count_text(least), most=count_text(most))
