"""Exclusions by rule, and what exclusions change."""

from dataclasses import replace

import pytest

from batchwright.analysis.analyse import Analysis, analyse
from batchwright.analysis.output.report import report
from batchwright.analysis.result_settings import AnalysisSettings, from_stored, to_stored
from batchwright.analysis.result_tables import Cell
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.roles.question_roles import QuestionRole
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusion_rules import ExclusionRule, Measure, Operator, parse_rule
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import record, table_of


def at(seconds: int) -> dict[str, str]:
    return {"created_at": f"2026-03-05T14:{seconds // 60:02}:{seconds % 60:02}.000Z"}


def answers() -> AnswerTable:
    """Two careful participants, and one who answers every second task in 2 s, and always with 1."""
    records = []
    for task in range(6):
        for person, value in (("careful", 4), ("slow", 4 + task % 2)):
            records.append(record(person, f"t{task}", "scale", value, **at(60 * task)))
        records.append(record("fast", f"t{task}", "scale", 1, **at(30 * (task // 2) + 2 * (task % 2))))
    return table_of(records, {f"t{task}": {"right": "4"} for task in range(6)})


def analysed(*rules: str, listed: Exclusions | None = None, **more: object) -> Analysis:
    found = tuple(rule for text in rules if (rule := parse_rule(text)))
    exclusions = replace(listed or Exclusions(), rules=found)
    return analyse(answers(), AnalysisSettings(exclusions, gold_field="right", **more))  # type: ignore[arg-type]


def rows(analysis: Analysis, name: str) -> list[dict[str, Cell]]:
    return [
        dict(zip(table.columns, row, strict=True))
        for table in analysis.results
        if table.name == name
        for row in table.rows
    ]


@pytest.mark.parametrize(
    ("rule", "excluded"),
    [
        ("seconds<3", 3),
        ("seconds <= 2", 3),
        ("seconds<2", 0),
        ("gold<0.6", 12),
        ("gold < .5", 6),
        ("straight_lining>0.9", 0),
        ("longest_run>=6", 12),
        ("agreement<0.1", 6),
        ("answers>6", 0),
        ("median_seconds>29", 12),
    ],
)
def test_a_rule_excludes_what_is_beyond_its_limit_and_is_listed_with_its_count(
    rule: str, excluded: int
) -> None:
    analysis = analysed(rule)
    assert analysis.excluded == excluded
    listed = [row for row in rows(analysis, "exclusions") if row["kind"] == "rule"]
    found = parse_rule(rule)
    assert found is not None
    assert [(row["id"], row["answers"]) for row in listed] == [(found.text, excluded)]
    assert found.text.replace("<", "&lt;").replace(">", "&gt;") in report(analysis, {"batchwright": "1"})


def test_seconds_are_those_of_all_answers_whichever_are_excluded() -> None:
    ids = {f"careful-t{task}-scale": "Test" for task in (1, 2, 4)}
    table = answers()
    left = table.where(~Exclusions(answers=ids).is_excluded(table))
    seconds = dict(zip(table.ids, table.seconds.tolist(), strict=True))
    assert left.seconds.tolist() == pytest.approx([seconds[id] for id in left.ids], nan_ok=True)
    analysis = analysed("median_seconds>100", listed=Exclusions(answers=ids))
    assert analysis.excluded == len(ids), "the participant took a minute for each task"
    medians = {row["participant"]: row["median_seconds"] for row in rows(analysis, "participants")}
    assert (medians["careful"], medians["slow"]) == (60, 60)


def test_rules_and_ids_together_do_not_depend_on_their_order() -> None:
    listed = Exclusions({"slow": "Test"})
    first = analysed("seconds<3", "gold<0.6", listed=listed)
    second = analysed("gold<0.6", "seconds<3", listed=listed)
    assert first.excluded == second.excluded == 12
    assert sorted(map(str, rows(first, "exclusions"))) == sorted(map(str, rows(second, "exclusions")))
    by_kind = {(row["kind"], row["id"]): (row["reason"], row["answers"]) for row in rows(first, "exclusions")}
    assert by_kind["rule", "seconds < 3"] == ("", 3)
    assert by_kind["participant", "slow"] == ("Test", 6)
    assert by_kind["participant", "fast"] == ("gold < 0.6", 6)


def test_results_with_and_without_exclusions_are_side_by_side() -> None:
    analysis = analysed("gold<0.5")
    effect = {(row["kind"], row["about"]): row for row in rows(analysis, "exclusion_effect")}
    mean = effect["mean", ""]
    assert mean["all_answers"] == pytest.approx((4 * 6 + 4.5 * 6 + 6) / 18, abs=1e-6)
    assert mean["without"] == pytest.approx(4.25)
    assert mean["change"] == pytest.approx(4.25 - (4 * 6 + 4.5 * 6 + 6) / 18, abs=1e-6)
    share = effect["share", "1 of 5"]
    assert share["all_answers"] == pytest.approx(1 / 3, abs=1e-6)
    assert share["without"] == 0
    without = analyse(answers().where(~Exclusions({"fast": "x"}).is_excluded(answers())), AnalysisSettings())
    (alpha,) = [row for row in rows(without, "agreement") if row["metric"] == "ordinal"]
    assert effect["agreement", "ordinal"]["without"] == alpha["value"]
    questions = {row["question"] for row in rows(analysis, "exclusion_effect")}
    assert questions == {"scale"}, "questions without answers have no figures"
    assert not rows(analysed(), "exclusion_effect"), "nothing is excluded"


def test_a_rule_uses_the_values_that_participants_are_described_with() -> None:
    """Without the answers that mean missing, both agree about the other half of the records."""
    records = [
        record(person, f"t{n}", "scale", 5 if n % 2 else value)
        for n in range(20)
        for person, value in (("p1", 1 + n % 4), ("p2", 1 + n % 4 if n % 4 else 4))
    ]
    exclusions = Exclusions(rules=(ExclusionRule(Measure.AGREEMENT, Operator.BELOW, 0.6),))
    as_value = analyse(table_of(records), AnalysisSettings(exclusions))
    assert as_value.excluded == 0, "they agree about three quarters of the records"
    roles = {"scale": QuestionRole(missing=("5",))}
    assert analyse(table_of(records), AnalysisSettings(exclusions, roles=roles)).excluded == 40


def test_win_rates_with_and_without_exclusions() -> None:
    records = [record("p1", f"t{n}", "better", "a") for n in range(4)]
    records += [record("p2", f"t{n}", "better", "b") for n in range(4)]
    fields = {f"t{n}": {"left": "X", "right": "Y"} for n in range(4)}
    settings = AnalysisSettings(Exclusions({"p2": "Test"}), systems=SystemFields("left", "right"))
    analysis = analyse(table_of(records, fields), settings)
    effect = {(row["kind"], row["about"]): row for row in rows(analysis, "exclusion_effect")}
    assert (effect["win rate", "X"]["all_answers"], effect["win rate", "X"]["without"]) == (0.5, 1)


def test_a_rule_has_the_same_limit_when_its_text_is_read_again() -> None:
    for text in ("answers >= 1234567", "gold < 0.1234567", "median_seconds > 1000000.5"):
        rule = parse_rule(text)
        assert rule is not None
        assert rule.text == text


@pytest.mark.parametrize("text", ["p1", "", "seconds", "seconds = 3"])
def test_other_texts_are_no_rule(text: str) -> None:
    assert parse_rule(text) is None


@pytest.mark.parametrize("text", ["speed<3", "3 < seconds", "seconds<fast", "seconds<nan", "seconds<1_0"])
def test_a_rule_with_an_unknown_measure_or_limit_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="“"):
        parse_rule(text)


def test_rules_are_the_same_after_they_were_stored() -> None:
    rule = ExclusionRule(Measure.GOLD, Operator.BELOW, 0.6)
    settings = AnalysisSettings(Exclusions(rules=(rule,)))
    assert from_stored(to_stored(settings)) == settings
    assert from_stored(to_stored(settings)).exclusions.rules[0].measure is Measure.GOLD
