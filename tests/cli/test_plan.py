"""`batchwright-cli plan`: how many records and answers a study needs."""

import json
from pathlib import Path

import pytest

from batchwright.__main__ import main


def cells(printed: str) -> list[list[str]]:
    """The cells of a printed table, whose columns are two spaces apart."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in printed.splitlines()]


def test_a_table_says_how_many_records_a_precision_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["plan", "share", "--half-width", "0.05", "--seconds-per-task", "36", "--pay-per-hour", "10"])
        == 0
    )
    printed = capsys.readouterr()
    heading, first, *more = cells(printed.out)
    assert heading == [
        *("Answers per record", "Records", "Answers", "Participants", "Exact to ± points"),
        *("Hours of work", "Pay"),
    ]
    assert first == ["1", "381", "381", "39", "5.0", "3.8", "38.10"]
    assert [row[0] for row in more] == ["2", "3", "5", "10"]
    assert "at most 5.0 percentage points away, in 95 of 100 such studies." in printed.err
    assert "The share is about 50.0 %." in printed.err


def test_the_fee_of_the_platform_is_added_to_the_pay(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--budget", "100", "--answers-per-record", "1", "--seconds-per-task", "36"]
    assert main(["plan", "share", *options, "--pay-per-hour", "10", "--fee", "0.25"]) == 0
    heading, row = cells(capsys.readouterr().out)
    assert (heading[-2:], row[-2:]) == (["Pay", "Pay and fee"], ["10.00", "12.50"])


def test_a_budget_says_how_precise_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--budget", "300", "--answers-per-record", "3", "--deviation", "2", "--json"]
    assert main(["plan", "mean", *options]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["records"], row["answers"], row["power"]) == (100, 300, None)
    assert row["half_width"] == pytest.approx(1.96 * 2 * ((1 + 2 * 0.3) / 300) ** 0.5, rel=0.02)


def test_the_size_of_a_study_that_cannot_be_planned_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--half-width", "1e-9", "--answers-per-record", "3", "--json"]
    assert main(["plan", "share", *options]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row.pop("answers_per_record") == 3
    assert set(row.values()) == {None}


def test_a_power_needs_a_value_to_be_told_apart_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "share", "--power", "0.8"]) == 2
    assert "--against" in capsys.readouterr().err
    power = ["--power", "0.8", "--against", "0.5", "--expected", "0.6", "--answers-per-record", "1"]
    assert main(["plan", "share", *power]) == 0
    heading, row = cells(capsys.readouterr().out)
    assert heading[-1] == "Difference found"
    assert row[-1] == "80 %"


def test_agreement_and_order_are_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    simulated = ["--budget", "200", "--runs", "20", "--seed", "3"]
    for measure in ("agreement", "order"):
        tables = []
        for _time in range(2):
            assert main(["plan", measure, *simulated]) == 0
            tables.append(cells(capsys.readouterr().out))
        assert tables[0] == tables[1]
        assert len(tables[0]) == (5 if measure == "agreement" else 6)


def test_agreement_on_numbers_is_planned_by_differences_and_by_ratios(
    capsys: pytest.CaptureFixture[str],
) -> None:
    simulated = ["agreement", "--budget", "200", "--runs", "20"]
    tables, sentences = list[str](), list[str]()
    for more in (["interval"], ["ratio"], ["ratio", "--relative-deviation", "2"]):
        assert main(["plan", *simulated, "--compared-as", *more]) == 0
        printed = capsys.readouterr()
        tables.append(printed.out)
        sentences += [line for line in printed.err.splitlines() if line.startswith("Answers are numbers")]
    assert len({*tables}) == 3
    assert "compared by their differences" in sentences[0]
    assert "their standard deviation is 50 % of their mean" in sentences[1]
    assert "200 % of their mean" in sentences[2]


def test_values_that_cannot_be_planned_are_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "agreement", "--answers-per-record", "1"]) == 2
    assert "at least two answers" in capsys.readouterr().err
    assert main(["plan", "win-rate", "--ties", "0.9"]) == 2
    assert "a tie is half a win" in capsys.readouterr().err
    assert main(["plan", "share", "--half-width", "0.0000001"]) == 1
    assert "cannot be reached" in capsys.readouterr().err


PILOT = "participant,task,question,value,field_left,field_right\n"


@pytest.fixture
def pilot(tmp_path: Path) -> Path:
    """Two participants compare two systems in thirty records; “x” wins twice as often."""
    path = tmp_path / "pilot.csv"
    lines = [
        f"p{person},t{task},better,{'left' if (task + person) % 3 else 'right'},x,y"
        for task in range(30)
        for person in (1, 2)
    ]
    path.write_text(PILOT + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_values_are_estimated_from_the_answers_of_a_pilot(
    pilot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "win-rate", "--pilot", str(pilot), "--fields", "left", "right"]) == 0
    printed = capsys.readouterr()
    assert "Estimated from 60 answers to “better”: x, y." in printed.err
    assert "The win rate is about 6" in printed.err
    assert len(cells(printed.out)) == 6
    assert main(["plan", "win-rate", "--pilot", str(pilot)]) == 0
    assert cells(capsys.readouterr().out) == cells(printed.out), "the fields are proposed"
    assert main(["plan", "win-rate", "--pilot", str(pilot), "--fields", "left", "none"]) == 2
    assert "no field “none”" in capsys.readouterr().err
    assert main(["plan", "mean", "--pilot", str(pilot)]) == 2
    assert "no question" in capsys.readouterr().err
    assert main(["plan", "mean", "--pilot", str(pilot.with_name("missing"))]) == 2
