"""Every field of a result is shown with a heading of its own, or with the value whose interval it ends."""

from dataclasses import fields
from typing import Any

import pytest

from batchwright.analysis.analyse import QuestionRow
from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow, DisagreementRow
from batchwright.analysis.statistics.agreement.labels import LabelRow
from batchwright.analysis.statistics.agreement.rater_pairs import ConfusionRow, RaterPairRow
from batchwright.analysis.statistics.best_worst.best_worst_results import ItemRow, PlaceRow
from batchwright.analysis.statistics.choices import OptionShare
from batchwright.analysis.statistics.comparisons.strengths import DifferenceRow
from batchwright.analysis.statistics.comparisons.system_results import PairRow, PositionRow, SystemRow
from batchwright.analysis.statistics.numbers import HistogramBin, NumberSummary
from batchwright.analysis.statistics.participants.participant_hints import ParticipantRow
from batchwright.analysis.statistics.participants.repeated_answers import RepeatedRow
from batchwright.analysis.statistics.planning.needed_records import NeededRow
from batchwright.analysis.statistics.planning.sample_size import PrecisionRow
from batchwright.analysis.statistics.text_lengths import TextSummary
from batchwright.analysis.store.exclusions import ExclusionRow
from batchwright.analysis.store.headings import headings
from batchwright.analysis.store.layout_use import VersionRow

ROW_TYPES = [
    *(QuestionRow, VersionRow, OptionShare, NumberSummary, HistogramBin, TextSummary, AgreementRow),
    *(DisagreementRow, LabelRow, SystemRow, PairRow, PositionRow, ParticipantRow, PrecisionRow, ExclusionRow),
    *(DifferenceRow, NeededRow, RaterPairRow, ConfusionRow),
    *(RepeatedRow, ItemRow, PlaceRow),
]


@pytest.mark.parametrize("row_type", ROW_TYPES)
def test_every_field_but_the_question_has_a_heading_or_is_the_end_of_an_interval(
    row_type: type[Any],
) -> None:
    found = headings(row_type)
    ends = {end for heading in found.values() for end in heading.interval or ()}
    names = {field.name for field in fields(row_type)}
    assert ends <= names
    assert names - {"question"} == found.keys() | ends
    assert not found.keys() & ends
