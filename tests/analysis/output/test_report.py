"""The report and its figures, preference pairs, and pseudonyms."""

import csv
import json
import re
from html import unescape
from math import nan
from pathlib import Path
from xml.etree import ElementTree

import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.figures import figures
from batchwright.analysis.output.output_files import OutputChoices, output_files, versions
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.pair_fields import PairFields, TieRule
from batchwright.analysis.output.preference_pairs import preference_pairs
from batchwright.analysis.output.pseudonyms import key_file, pseudonymized, read_key, with_new_pseudonyms
from batchwright.analysis.output.report import citation, report
from batchwright.analysis.output.report_tables import MAX_ROWS, html_table, html_text
from batchwright.analysis.output.write_files import write_files
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.result_tables import result_table
from batchwright.analysis.statistics import methods, works
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.choices import NO_OPTION, OptionShare
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.store.exclusions import ANSWERED_AGAIN, ExclusionRow, Exclusions
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.i18n import use_language
from batchwright.base.json_values import JsonObject
from batchwright.data_files.rows import UnreadableFile
from tests.analysis.answers import ratings, record, table_of

FIELDS = {f"t{n}": {"left": "xy"[n % 2], "right": "yx"[n % 2], "<b>&": "\ud800"} for n in range(6)}
TABLE = table_of(
    ratings([["a", "b"], ["b", "a"], ["a", "a"], ["b", "b"], ["same", "a"], ["a", "b"]], "better"), FIELDS
)
SYSTEMS = SystemFields("left", "right")


def test_the_report_is_one_file_that_states_methods_exclusions_and_versions() -> None:
    exclusions = Exclusions(answers={"p0-t0-better": "<script>alert(1)</script>"})
    html = report(analyse(TABLE, AnalysisSettings(exclusions, 42, SYSTEMS)), {"batchwright": "1.2"})
    assert not re.search(r"<script|src=|href=|@import|url\(", html)
    assert "&lt;script&gt;alert(1)" in html
    figure_count = html.count("<svg")
    assert html.count("1 answer was excluded") == figure_count + 1
    assert "1 answer (8.3%) was excluded before all computations, for these reasons: “&lt;script&gt;" in html
    assert "Krippendorff&#x27;s alpha (Krippendorff, 2019)" in html
    assert "Hayes, A. F., &amp; Krippendorff, K." in html
    assert "Batchwright 1.2" in html
    assert "seed" not in html, "nothing is drawn at random"
    assert "Means are given" not in html, "no question asks for numbers"
    assert figure_count == 11
    captions = re.findall("<figcaption>Width of the interval of (.*?), now", html)
    assert captions == ["“A is better”", "Krippendorff&#x27;s alpha", "the win rate of “x”"]


def test_the_report_states_only_the_reasons_for_which_answers_are_excluded() -> None:
    exclusions = Exclusions({"gone": "A bot", "p1": ""}, {"p0-t0-better": "A typing error", "x": "Too fast"})
    html = report(analyse(TABLE, AnalysisSettings(exclusions)), {"batchwright": "1.2"})
    assert "for these reasons: “A typing error”." in html


def test_doubtful_labels_and_known_answers_are_stated_in_the_report() -> None:
    table = table_of(
        ratings([["a", "a", "b"], ["b", "b", "b"]], "better"), {f"t{n}": {"gold": "a"} for n in range(2)}
    )
    settings = AnalysisSettings(gold_field="gold", label_model=LabelModel.DAWID_SKENE)
    html = report(analyse(table, settings), {"batchwright": "1"})
    assert "Answers per participant: 2 in the median. With fewer than 20, Dawid and Skene" in html
    assert (
        "The answers to 2 records are known: the majority is right about 1 (50.0%) and tied about 0." in html
    )
    assert "<figcaption>Answers of p0 (rows) and p1 (columns)</figcaption>" in html


@pytest.mark.parametrize("tag", ["de", "fr"])
@pytest.mark.usefixtures("german")
def test_sentences_of_a_translated_report_end_in_one_full_stop_and_headings_in_none(tag: str) -> None:
    use_language(tag)
    exclusions = Exclusions(answers={"p0-t0-better": "Too fast."})
    fields = {name: values | {"gold": "a"} for name, values in FIELDS.items()}
    numbers = [record(f"p{n % 2}", f"t{n}", "duration", {"value": str(n)}) for n in range(6)]
    table = table_of([*ratings([["a", "b"], ["b", "a"]] * 3, "better"), *numbers], fields)
    settings = AnalysisSettings(
        exclusions, 42, SYSTEMS, gold_field="gold", label_model=LabelModel.DAWID_SKENE
    )
    html = report(analyse(table, settings), {"batchwright": "1.2"})
    text = re.sub("<style>.*?</style>|<svg.*?</svg>", "", html, flags=re.DOTALL)
    sentences = re.findall('<p class="note">(.*?)</p>|<div class="methods"><p>(.*?)</p>', text)
    assert len(sentences) > 30
    assert [parts for parts in sentences if not "".join(parts).endswith(".")] == []
    headings = re.findall(r"<(h[123]|th|figcaption)\b[^>]*>(.*?)</\1>", text)
    assert [heading for _tag, heading in headings if heading.endswith(".")] == []
    assert re.findall(r".{9}[.。]\.", text) == []


def test_means_and_medians_have_intervals_and_large_numbers_separators() -> None:
    records = [record("p", f"t{n}", "duration", {"value": str(5000 + n)}) for n in range(9)]
    html = report(analyse(table_of(records), AnalysisSettings()), {"batchwright": "1"})
    headings = re.findall("<th[^>]*>(.*?)</th>", html)
    assert {"Mean, 95 % interval", "Median, 95 % interval"} <= set(headings)
    assert not {"Median low", "Median high"} & set(headings)
    assert "5,004 " in html


def test_the_report_warns_of_intervals_of_agreement_with_few_records_that_differ() -> None:
    def warnings(differing: int) -> list[str]:
        table = table_of(ratings([["a", "b"]] * differing + [["a", "a"], ["b", "b"]] * 8, "better"))
        html = report(analyse(table, AnalysisSettings()), {"batchwright": "1"})
        return re.findall('class="note">((?:Answers differ|No record has answers)[^,]*)', html)

    assert warnings(0) == ["No record has answers that differ"]
    assert warnings(1) == ["Answers differ about only 1 record. With fewer than 10"]
    assert warnings(9) == ["Answers differ about only 9 records. With fewer than 10"]
    assert warnings(10) == []


def test_shares_of_pairs_and_of_participants_are_per_cent_with_their_intervals() -> None:
    html = report(analyse(TABLE, AnalysisSettings(systems=SYSTEMS)), {"batchwright": "1.2"})
    pairs = html.partition("<h2>Pairs of systems</h2>")[2].partition("</section>")[0]
    assert "Win rate, 95 % interval" in pairs
    assert re.search(r'\d\.\d % <span class="interval">\[\d+\.\d %, \d+\.\d %\]', pairs)
    assert ">From<" not in pairs
    participants = html.partition("<h2>Participants</h2>")[2].partition("</section>")[0]
    assert re.search(r">Agreement with others</th>.*<tbody>.*>\d+\.\d %</td>.*>\d+\.\d %</td>", participants)


def test_every_figure_is_well_formed() -> None:
    names = []
    for figure in figures(analyse(TABLE, AnalysisSettings(systems=SYSTEMS))):
        names.append(figure.name)
        assert figure.question == "Which answer is better?"
        assert ElementTree.fromstring(figure.svg).tag.endswith("svg")
    kinds = [
        "choices",
        "agreement",
        "confusions",
        "win-rates",
        "systems",
        "outcomes",
        "pairs",
        "positions",
        "precision",
    ]
    more = ["figure-precision-q1-2", "figure-precision-q1-3"]
    assert names == [*(f"figure-{kind}-q1" for kind in kinds), *more]


@pytest.mark.parametrize("records", [[], [record("p", "t", "better")], [record("p", "t", "reason", "x")]])
def test_all_files_of_nearly_nothing(records: list[dict[str, object]], tmp_path: Path) -> None:
    files = output_files(analyse(table_of(records), AnalysisSettings()), OutputChoices(set(OutputKind)))
    write_files(files, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in files}


def pairs(rule: TieRule, seed: int = 0) -> list[JsonObject]:
    return list(preference_pairs(TABLE, 0, PairFields("left", "left", "right"), rule, seed))


def test_preference_pairs_follow_the_majority_and_the_tie_rule() -> None:
    decided = pairs(TieRule.DROP)
    assert [(pair["task"], pair["chosen"], pair["rejected"]) for pair in decided] == [
        ("t2", "x", "y"),
        ("t3", "x", "y"),
        ("t4", "x", "y"),
    ]
    assert decided[2]["votes"] == [1, 0, 1]
    assert len(pairs(TieRule.BOTH)) == 3 + 2 * 3
    assert len(pairs(TieRule.RANDOM)) == 6
    assert pairs(TieRule.RANDOM, 3) == pairs(TieRule.RANDOM, 3)
    assert len({str(pairs(TieRule.RANDOM, seed)) for seed in range(9)}) > 1
    with pytest.raises(UnusableField, match="nowhere"):
        list(preference_pairs(TABLE, 0, PairFields("left", "nowhere", "right"), TieRule.DROP, 0))


def test_records_without_a_pair_are_counted_and_named(tmp_path: Path) -> None:
    answers = {"t0": "a", "t1": "a", "t2": "b", "t3": "same", "t4": "a", "t5": "gone"}
    full = {"prompt": "Why?", "left": "So.", "right": "No."}
    fields = dict.fromkeys(answers, full) | {
        "t1": {"prompt": "Why?", "left": "So."},
        "t2": {**full, "left": "  "},
        "t4": {**full, "prompt": ""},
    }
    table = table_of((record("p", task, "better", value) for task, value in answers.items()), fields)
    choices = OutputChoices({OutputKind.PAIRS}, PairFields("prompt", "left", "right"))
    files = output_files(analyse(table, AnalysisSettings()), choices)
    write_files(files, tmp_path)
    pairs = [json.loads(line) for line in (tmp_path / "preference-pairs.jsonl").read_text().splitlines()]
    assert [pair["task"] for pair in pairs] == ["t0"]
    with (tmp_path / "preference-pairs-omitted.csv").open(encoding="utf-8", newline="") as file:
        omitted = {row["task"]: row["reason"] for row in csv.DictReader(file)}
    assert omitted == {
        "t1": "empty response",
        "t2": "empty response",
        "t3": "tie",
        "t4": "no prompt",
        "t5": "no vote for a side",
    }
    assert files[-1].note == (
        "5 records are in no preference pair "
        "(no prompt: 1, empty response: 2, no vote for a side: 1, tie: 1)."
    )


def test_pseudonyms_replace_ids_everywhere_and_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    key = with_new_pseudonyms(read_key(path), TABLE)
    assert sorted(key.values()) == ["P0001", "P0002"]
    path.write_bytes(key_file(key))
    assert read_key(path) == key
    more = table_of([*ratings([["a", "b", "a"]], "better")])
    assert with_new_pseudonyms(key, more).items() > key.items()
    table, exclusions = pseudonymized(TABLE, Exclusions({"p0": "Fast", "p9": "Gone"}), key)
    assert set(table.participants.values) == {"P0001", "P0002"}
    assert exclusions.participants == {key["p0"]: "Fast"}
    path.write_text("a,b\n")
    with pytest.raises(UnreadableFile):
        read_key(path)


def test_methods_are_cited_by_authors_and_year() -> None:
    used = (methods.STUDENT, methods.BRADLEY_TERRY, methods.MAJORITY, methods.TEXT_LENGTH)
    cited = [citation(method) for method in used]
    assert cited[:3] == ["Student, 1908", "Bradley & Terry, 1952", "Snow et al., 2008"]
    assert cited[3].startswith("The Unicode Consortium")


def test_long_tables_are_cut_with_a_note_and_intervals_are_one_column() -> None:
    shares = [
        OptionShare("q", "", "", "", f"<{n}>", "", 1, 2, 0.5, 0.25, nan if n else 0.75)
        for n in range(MAX_ROWS + 1)
    ]
    table = result_table("choices", "Choices", OptionShare, shares)
    html = html_table(table, table.rows, "Label", {})
    assert html.count("<tr>") == MAX_ROWS + 1
    assert f"The first {MAX_ROWS} of {MAX_ROWS + 1} rows; all are in choices.csv." in html
    assert '<td class="number">50.0 % <span class="interval">[25.0 %, 75.0 %]</span></td>' in html
    assert '<td>&lt;1&gt;</td><td class="number">1</td>' in html
    assert '<td class="number">50.0 %</td>' in html
    assert "Share, 95 % interval" in html


@pytest.mark.usefixtures("german")
def test_identifiers_of_files_are_words_in_the_report() -> None:
    rows = [
        ExclusionRow("answer", "1", ANSWERED_AGAIN, 1),
        ExclusionRow("participant", "p", ANSWERED_AGAIN, 1),
    ]
    table = result_table("exclusions", "Exclusions", ExclusionRow, rows)
    assert [row[2] for row in table.rows] == ["Answered again later"] * 2
    html = html_table(table, table.rows, "Label", {})
    assert "Später erneut beantwortet" in html
    assert "<td>Answered again later</td>" in html
    shares = [
        OptionShare("q", "", "", option, NO_OPTION, "", 1, 2, 0.5, 0.25, 0.75) for option in ("", "none")
    ]
    table = result_table("choices", "Choices", OptionShare, shares)
    html = html_table(table, table.rows, "Label", {})
    assert "<td>keine Option</td>" in html
    assert "<td>no option</td>" in html


IDENTIFIERS = (
    {"choice", "choices", "number", "file", "left", "right", "tie", "none", "share", "mean", "agreement"}
    | {"win rate", "one-coin", "dawid-skene", "yes", "participant", "answer", "missing", "order"}
    | {"ordinal", "interval", "Percent agreement", "Krippendorff's alpha"}
)


@pytest.mark.parametrize("tag", ["es", "fr"])
@pytest.mark.usefixtures("german")
def test_a_translated_report_has_no_identifiers_of_the_program(tag: str) -> None:
    use_language(tag)
    numbers = [record(f"p{n % 2}", f"t{n}", "duration", {"value": str(n), "unit": "h"}) for n in range(6)]
    table = table_of(
        [*ratings([["a", "b"], ["b", "a"], ["same", "a"]] * 2, "better"), *numbers],
        {task: {"one": values["left"], "two": values["right"]} for task, values in FIELDS.items()},
    )
    exclusions = Exclusions(answers={"p1-t0-better": "Test"})
    systems = SystemFields("one", "two")
    settings = AnalysisSettings(exclusions, 42, systems, label_model=LabelModel.ONE_COIN)
    html = report(analyse(table, settings), {"batchwright": "1"})
    cells = {unescape(cell) for cell in re.findall(r"<td[^>]*>(?:<bdi>)?([^<]*)", html)}
    assert len(cells) > 50
    assert cells & IDENTIFIERS == set()


def test_every_work_is_listed_once_with_its_doi() -> None:
    analysis = analyse(table_of(ratings([[1, 2, 1], [5, 5, 4], [3, 3, 2]])), AnalysisSettings())
    used = {method for table in analysis.results for method in table.methods}
    cited = {work for method in used for work in method.works}
    assert {works.FLEISS_1971, works.GWET_2008, works.KRIPPENDORFF_2019} <= cited
    page = report(analysis, versions(), "")
    listed = re.findall("<li>(.*?)</li>", page.partition("<h3>References</h3>")[2])
    assert listed == sorted(set(listed))
    assert {html_text(work.reference) for work in cited} <= set(listed)


def test_every_doi_has_the_form_of_one() -> None:
    dois = [work.doi for work in vars(works).values() if isinstance(work, works.Work) and work.doi]
    assert len(dois) == len(set(dois)) > 20
    assert all(re.fullmatch(r"10\.\d{4,9}/[\w.()/-]+", doi) for doi in dois)
