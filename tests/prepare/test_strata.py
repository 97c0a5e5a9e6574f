"""Results of a sample by strata are those of the population: the weights of its rows are found."""

import numpy as np

from batchwright.analysis.design_settings import with_design
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.groups import category_fields
from batchwright.prepare.columns import STRATUM, WEIGHT
from batchwright.prepare.steps.known_answers import AttentionChecks
from batchwright.prepare.steps.samples import SampleRows, StrataSizes
from tests.analysis.answers import record, table_of
from tests.prepare.tables import table_of as records_table

SIZES, SHARES = {"common": 900, "rare": 100}, {"common": 0.8, "rare": 0.2}
TRUTH = sum(SIZES[name] * SHARES[name] for name in SIZES) / sum(SIZES.values())
SEEDS = 12


def population() -> list[dict[str, str]]:
    """The records of two strata; the answer about each is what it says."""
    return [
        {"kind": name, "answer": "a" if number < size * SHARES[name] else "b"}
        for name, size in SIZES.items()
        for number in range(size)
    ]


def test_a_weighted_share_of_a_sample_with_equal_strata_is_that_of_the_population() -> None:
    """95 % are nominal; of all records alike, the share would be 0.5."""
    found, covered, unweighted = list[float](), list[bool](), list[float]()
    table = records_table(population())
    for seed in range(SEEDS):
        sample = [*SampleRows(100, "kind", StrataSizes.EQUAL, seed=seed)(table).table.all_rows()]
        fields = {f"t{number}": {**row, "n": str(number)} for number, row in enumerate(sample)}
        answers = table_of(
            [record("p", task, "better", str(of["answer"])) for task, of in fields.items()],
            {task: {name: str(value) for name, value in of.items()} for task, of in fields.items()},
        )
        settings = with_design(AnalysisSettings(), answers)
        assert (settings.weight_field, settings.split_field) == (WEIGHT, STRATUM)
        row = option_shares(prepare(answers, settings).included, 0)[0]
        found.append(row.share)
        covered.append(row.low <= TRUTH <= row.high)
        unweighted.append(
            option_shares(prepare(answers, AnalysisSettings().with_changes(weight_field="")).included, 0)[
                0
            ].share
        )
    assert category_fields(answers)[0] == STRATUM
    assert abs(np.mean(found) - TRUTH) < 0.045
    assert abs(np.mean(unweighted) - 0.5) < 0.03
    assert np.mean(covered) >= 0.9


def test_weights_are_not_used_if_a_record_has_none() -> None:
    table = SampleRows(4, "kind", StrataSizes.EQUAL)(records_table(population())).table
    checked = AttentionChecks(("a",), {"answer": "Choose {answer}."})(table).table
    sample = [*checked.all_rows()]
    fields = {f"t{number}": {k: str(v) for k, v in row.items()} for number, row in enumerate(sample)}
    answers = [record("p", task, "better", "a") for task in fields]
    assert with_design(AnalysisSettings(), table_of(answers, fields)).weight_field == WEIGHT
    del fields["t0"][WEIGHT]
    assert not with_design(AnalysisSettings(), table_of(answers, fields)).weight_field
