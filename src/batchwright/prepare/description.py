"""What the steps of a preparation did, in sentences for the methods section of an article.

They are about the design: which records, which pairs or sets, which side, which known answers and which
order, with the seeds. Changes of columns are not named.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import zip_longest

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import count_text, joined, quoted
from batchwright.prepare.designs.groups import Order
from batchwright.prepare.steps.columns import CutTexts, KeepRows
from batchwright.prepare.steps.groups import TaskGroups
from batchwright.prepare.steps.item_sets import ItemSets
from batchwright.prepare.steps.known_answers import AttentionChecks, KnownAnswers
from batchwright.prepare.steps.languages import KeepLanguages
from batchwright.prepare.steps.pairs import ComparePairs, PairChoice
from batchwright.prepare.steps.personal_data import RemovePersonalData
from batchwright.prepare.steps.samples import HoldOutPilot, PilotUse, SampleRows, StrataSizes
from batchwright.prepare.steps.sides import DrawSides
from batchwright.prepare.steps.step import Step, SwitchedOff


def description(steps: Sequence[Step], counts: Iterable[int] = ()) -> str:
    """The design as a paragraph; empty if the steps are about columns only.

    Args:
        steps: the steps in their order; those that are switched off are left out.
        counts: the number of rows after each step, as far as it is known; it is named where it changes.
    """
    sentences, before = list[str](), None
    for step, count in zip_longest(steps, counts):
        found = [] if step is None or isinstance(step, SwitchedOff) else [*_sentences(step)]
        if found and count is not None and count != before:
            text = ngettext("There is {count} record then.", "There are {count} records then.", count)
            found.append(text.format(count=count_text(count)))
            before = count
        sentences += found
    return " ".join(sentences)


@singledispatch
def _sentences(_step: Step) -> Iterator[str]:
    """Yield what a step did; nothing if it says nothing about the design."""
    return iter(())


@_sentences.register
def _of_filter(step: KeepRows) -> Iterator[str]:
    yield _("Rows were kept by what is in the column “{column}”.").format(column=step.column)


@_sentences.register
def _of_languages(step: KeepLanguages) -> Iterator[str]:
    if step.languages:
        text = _("Rows were kept whose “{column}” is in one of these languages: {languages}.")
        yield text.format(column=step.column, languages=joined(step.languages))


@_sentences.register
def _of_cuts(step: CutTexts) -> Iterator[str]:
    text = _("Longer texts in “{column}” were cut to a length of {longest}.")
    yield text.format(column=step.column, longest=step.longest)


@_sentences.register
def _of_personal_data(step: RemovePersonalData) -> Iterator[str]:
    text = _("Personal data that was found by pattern in {columns} was removed.")
    yield text.format(columns=_quoted(step.columns))


@_sentences.register
def _of_sides(step: DrawSides) -> Iterator[str]:
    text = _(
        "Which output stood on the left was drawn, so that each system stood on both sides equally often in "
        "each pair of systems and in all its pairs, give or take one (seed {seed})."
    )
    yield text.format(seed=step.seed)


@_sentences.register
def _of_sets(step: ItemSets) -> Iterator[str]:
    text = _(
        "Items were put into sets of {size} for best–worst scaling, each item into {repeats} of them, so "
        "that pairs of items are together as equally often as possible, and each item stands at each place "
        "equally often, give or take one (seed {seed})."
    )
    yield text.format(size=step.size, repeats=step.repeats, seed=step.seed)


@_sentences.register
def _of_checks(step: AttentionChecks) -> Iterator[str]:
    text = ngettext(
        "{count} attention check asked for a given answer.",
        "{count} attention checks asked for a given answer.",
        len(step.answers),
    )
    yield text.format(count=len(step.answers))


@_sentences.register
def _of_known_answers(step: KnownAnswers) -> Iterator[str]:
    text = ngettext(
        "{count} record with a known answer was mixed into each task group, at a random place (seed {seed}).",
        "{count} records with known answers were mixed into each task group, at random places spread over "
        "the group (seed {seed}).",
        step.per_group,
    )
    yield text.format(count=step.per_group, seed=step.seed)


@_sentences.register
def _of_sample(step: SampleRows) -> Iterator[str]:
    if step.distinct:
        text = _("Of rows with the same values in {columns}, the first one was used.")
        yield text.format(columns=_quoted(step.distinct))
    if not step.stratum:
        text = ngettext(
            "{count} row was drawn at random (seed {seed}).",
            "{count} rows were drawn at random (seed {seed}).",
            step.size,
        )
        yield text.format(count=count_text(step.size), seed=step.seed)
        return
    if step.sizes is StrataSizes.GIVEN:
        text = _("From the strata of “{column}”, these numbers of rows were drawn: {numbers} (seed {seed}).")
        numbers = joined(f"{quoted(name)} {count_text(count)}" for name, count in step.given)
        yield text.format(column=step.stratum, numbers=numbers, seed=step.seed)
        return
    text = (
        _("A sample of {count} was drawn, in proportion to the strata of “{column}” (seed {seed}).")
        if step.sizes is StrataSizes.PROPORTIONAL
        else _("A sample of {count} was drawn, equally many from each stratum of “{column}” (seed {seed}).")
    )
    yield text.format(count=count_text(step.size), column=step.stratum, seed=step.seed)


@_sentences.register
def _of_pilot(step: HoldOutPilot) -> Iterator[str]:
    if step.together:
        text = {
            PilotUse.MARKED: _(
                "For a pilot, all rows of {count} “{column}”, drawn at random, were marked (seed {seed})."
            ),
            PilotUse.PILOT: _(
                "This is the pilot: all rows of {count} “{column}”, drawn at random (seed {seed})."
            ),
            PilotUse.MAIN: _(
                "For a pilot, all rows of {count} “{column}”, drawn at random, were left out (seed {seed})."
            ),
        }[step.use]
        yield text.format(count=count_text(step.size), column=step.together, seed=step.seed)
        return
    text = {
        PilotUse.MARKED: _("For a pilot, a random sample of {rows} was marked (seed {seed})."),
        PilotUse.PILOT: _("This is the pilot: a random sample of {rows} (seed {seed})."),
        PilotUse.MAIN: _("For a pilot, a random sample of {rows} was drawn and left out (seed {seed})."),
    }[step.use]
    rows = ngettext("{count} row", "{count} rows", step.size).format(count=count_text(step.size))
    yield text.format(rows=rows, seed=step.seed)


@_sentences.register
def _of_pairs(step: ComparePairs) -> Iterator[str]:
    match step.choice:
        case PairChoice.ALL:
            text = _("All pairs of outputs with the same “{prompt}” were compared.")
        case PairChoice.REFERENCE:
            text = _("Each output was compared with the one of “{reference}” that has the same “{prompt}”.")
        case PairChoice.PER_PROMPT:
            text = ngettext(
                "{count} pair of outputs of each “{prompt}” was compared (seed {seed}).",
                "{count} pairs of outputs of each “{prompt}” were compared (seed {seed}).",
                step.amount,
            )
        case PairChoice.BUDGET:
            text = ngettext(
                "{count} pair of outputs with the same “{prompt}” was compared (seed {seed}).",
                "{count} pairs of outputs with the same “{prompt}” were compared (seed {seed}).",
                step.amount,
            )
    count = count_text(step.amount)
    yield text.format(prompt=step.prompt, reference=step.reference, count=count, seed=step.seed)
    if step.choice in (PairChoice.PER_PROMPT, PairChoice.BUDGET):
        yield _("They were chosen so that all pairs of systems are compared as equally often as possible.")
        if step.block:
            text = _("Within each “{block}”, systems are connected by their pairs, where possible.")
            yield text.format(block=step.block)


@_sentences.register
def _of_groups(step: TaskGroups) -> Iterator[str]:
    yield _main_sentence(step)
    if step.apart:
        text = _("Rows with the same “{column}” are in different groups, where possible.")
        yield text.format(column=step.apart)
    if step.shared:
        text = ngettext(
            "{count} row is in every group.", "The same {count} rows are in every group.", step.shared
        )
        yield text.format(count=step.shared)
    if step.repeats:
        text = ngettext(
            "{count} record of each group comes again in its second half.",
            "{count} records of each group come again in its second half, but at most half of the group.",
            step.repeats,
        )
        yield text.format(count=step.repeats)
    match step.order:
        case Order.KEPT:
            yield _("The order within groups is that of the table.")
        case Order.SHUFFLED:
            yield _("The order within groups was drawn at random.")
        case Order.BLOCKED:
            text = _(
                "Within groups, rows with the same “{block}” follow each other; the order of both was drawn."
            )
            if step.repeats:
                text = _(
                    "Within groups, rows with the same “{block}” follow each other, except those that come "
                    "again; the order was drawn."
                )
            yield text.format(block=step.block)


def _main_sentence(step: TaskGroups) -> str:
    if step.topic and not step.size:
        text = _("Each “{topic}” is a task group (seed {seed}).")
    elif step.topic:
        text = _("Each “{topic}” was divided into task groups of up to {size} (seed {seed}).")
    else:
        text = _("Rows were divided at random into task groups of up to {size} (seed {seed}).")
    return text.format(topic=step.topic, size=step.size, seed=step.seed)


def _quoted(names: Sequence[str]) -> str:
    return joined(quoted(name) for name in names)
