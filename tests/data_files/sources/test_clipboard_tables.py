"""Tables on the clipboard, as spreadsheet programs, web pages, chats and people write them."""

import pytest

from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.clipboard_tables import ClipboardTable, clipboard_table
from batchwright.data_files.sources.html_tables import MAX_CELLS

EXCEL = """<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta name=Generator content="Microsoft Excel 15">
<style><!--table {mso-displayed-decimal-separator:"\\.";} td {mso-ignore:padding;} --></style></head>
<body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse;width:144pt'>
<!--StartFragment-->
 <col width=64 span=3 style='width:48pt'>
 <tr height=20 style='height:15.0pt'>
  <td height=20 width=64 style='height:15.0pt;width:48pt'>prompt</td><td width=64>share</td><td>note</td>
 </tr>
 <tr height=40 style='height:30.0pt'>
  <td height=40 class=xl65 width=64>first<br>
    second line</td>
  <td align=right x:num="0.5">50%</td>
  <td>&nbsp;</td>
 </tr>
 <tr><td colspan=2 style='mso-ignore:colspan'>a text above its empty neighbour</td><td>R&amp;D</td></tr>
 <![if supportMisalignedColumns]>
 <tr height=0 style='display:none'><td width=64 style='width:48pt'>hidden</td></tr>
 <![endif]>
<!--EndFragment-->
</table></body></html>"""

LIBREOFFICE = """<!DOCTYPE html>
<html><head><meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/>
<style type="text/css">body,div,table,tr,th,td,p { font-family:"DejaVu Sans" }</style></head>
<body><table cellspacing="0" border="0">
	<colgroup width="93"></colgroup><colgroup width="48"></colgroup>
	<tr><td height="17" align="left">prompt</td><td align="left">score</td></tr>
	<tr><td height="17">line 1<br>line 2</td><td sdval="1.5" sdnum="1033;">1.5</td></tr>
	<tr><td align="left">say &quot;hi&quot; &lt;b&gt;</td><td align="left"><br></td></tr>
</table></body></html>"""

GOOGLE_SHEETS = """<meta charset='utf-8'><google-sheets-html-origin><style><!--td {border: 1px;}--></style>
<table xmlns="http://www.w3.org/1999/xhtml" dir="ltr"><colgroup><col width="100"/></colgroup>
<tbody><tr style="height:21px;"><td data-sheets-value="{&quot;1&quot;:2}">prompt</td><td>id</td></tr>
<tr><td data-sheets-value="{}">a<br/>b</td><td style="text-align:right;">007</td></tr></tbody>
</table>"""

WEB_PAGE = """<div><p>Models</p><table class="wikitable"><caption>Table 1</caption>
<thead><tr><th rowspan="2">Question<th colspan="2">Response</th></tr><tr><th>A</th><th>B</th></tr></thead>
<tbody><tr><th scope="row"><a href="/x">Why?</a></th><td><b>yes</b>, <i>of course</i><td>no
<tr><th rowspan=2>Which?<td><ul><li>one</li><li>two</li></ul><td><img src="https://example.org/1.png">
<tr><td><pre>a  =  1
  b</pre><td><table><tr><td>in<td>side</table></table>"""


def texts(*rows: str) -> tuple[tuple[str, ...], ...]:
    """Rows with cells between bars."""
    return tuple(tuple(row.split("|")) for row in rows)


@pytest.mark.parametrize(
    ("html", "columns", "rows"),
    [
        (
            EXCEL,
            "prompt|share|note",
            ("first\nsecond line|50%|", "a text above its empty neighbour||R&D"),
        ),
        (LIBREOFFICE, "prompt|score", ("line 1\nline 2|1.5", 'say "hi" <b>|')),
        (GOOGLE_SHEETS, "prompt|id", ("a\nb|007",)),
        (
            WEB_PAGE,
            "Question|Response A|Response B",
            (
                "Why?|yes, of course|no",
                "Which?|one\ntwo|https://example.org/1.png",
                "Which?|a  =  1\nb|in\nside",
            ),
        ),
    ],
    ids=["Excel", "LibreOffice", "Google Sheets", "a web page"],
)
def test_html_of_other_programs(html: str, columns: str, rows: tuple[str, ...]) -> None:
    assert clipboard_table(html, "the same as text") == ClipboardTable(
        tuple(columns.split("|")), texts(*rows)
    )


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("prompt\tid\r\nWhich?\t007\r\n", "prompt|id", ("Which?|007",)),
        ('a\tb\n"x\ny"\t"say ""hi"""\n"Hello"\t5" disk\n\t\n', "a|b", ('x\ny|say "hi"', '"Hello"|5" disk')),
        ("a\tb\tc\n1\n2\t3\n", "a|b|c", ("1||", "2|3|")),
        ("a\t\tb\n1\t\t2\n", "a|b", ("1|2",)),
        ("a\ta\n1\t2\n", "a|a_2", ("1|2",)),
        ("https://e.org/1.png\tcat\nhttps://e.org/2.png\tdog\n", "column_1|column_2", ()),
        ("name;score\nAnn;1,5\n", "name|score", ("Ann|1,5",)),
        ('name, note\nAnn,"x, y"\n', "name|note", ("Ann|x, y",)),
        (
            "Here it is:\n\n| a | b |\n|---|:-:|\n| x \\| y | 1<br>2 |\n| **z** | |\n\nAnything else?",
            "a|b",
            (),
        ),
        ("a | b\n-- | --\n1 | 2 | 3\n", "a|b", ("1|2",)),
        ("Which is better?\nWhy, and for whom?\n", "text", ("Which is better?", "Why, and for whom?")),
        ("1. Which is it?\n2. Why?\n", "text", ("Which is it?", "Why?")),
        ("- Which is it?\n- Why?\n", "text", ("Which is it?", "Why?")),
        ("- Which is it?\n-5\n", "text", ("- Which is it?", "-5")),
        ("prompt\nWhich is it?\nWhy is it?\n", "prompt", ("Which is it?", "Why is it?")),
        ("yes\nnot sure\nno", "text", ("yes", "not sure", "no")),
    ],
)
def test_plain_text(text: str, columns: str, rows: tuple[str, ...]) -> None:
    table = clipboard_table(None, text)
    assert table.columns == tuple(columns.split("|"))
    assert not rows or table.rows == texts(*rows)


def test_cells_that_are_also_in_the_text_have_its_white_space() -> None:
    html = (
        "<table><tr><td>prompt</td><td>code</td><td>share</td></tr>"
        "<tr><td>two &nbsp;spaces</td><td>if x:<br>\n<span>    </span>go()</td><td rowspan=2>1</td></tr>"
        "<tr><td>one<br>two</td><td><img src='https://e.org/1.png'></td></tr></table>"
    )
    text = 'prompt\tcode\tshare\r\ntwo  spaces\t"if x:\n    go()"\t1\r\none two\t\t\r\n'
    assert clipboard_table(html, text).rows == (
        ("two  spaces", "if x:\n    go()", "1"),
        ("one\ntwo", "https://e.org/1.png", "1"),
    )
    assert clipboard_table(html, text.replace("\t1", "")).rows[0] == ("two spaces", "if x:\ngo()", "1")


def test_a_markdown_table_in_a_chat_keeps_bars_and_line_breaks_of_its_cells() -> None:
    table = clipboard_table(
        "<p>no table</p>", "Yes:\n| a | b |\n|---|:-:|\n| x \\| y | 1<br>2 |\n| **z** | |\nOk?"
    )
    assert table.rows == (("x | y", "1\n2"), ("**z**", ""))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("before", ["", "See:\n", 'Say ""hi"":\n'])
def test_a_markdown_table_in_a_cell_is_its_text(separator: str, before: str) -> None:
    rule = "| a | b |\n|---|---|\n| 1 | 2 |"
    rows = (("Make, a table", f'"{before}{rule}"'), ("Second", "plain"))
    text = "".join(f"{first}{separator}{second}\n" for first, second in (("prompt", "answer"), *rows))
    table = clipboard_table(None, text.replace("Make, a table", '"Make, a table"'))
    answer = f"{before}{rule}".replace('""', '"')
    assert table.columns == ("prompt", "answer")
    assert table.rows[0][1] == answer
    assert table.rows[1] == ("Second", "plain")


@pytest.mark.parametrize("before", ['A 5" disk:', '"Yes," it said.\n"Here:"', 'a,b\n"x'])
def test_a_markdown_table_is_found_below_quotation_marks(before: str) -> None:
    table = clipboard_table(None, f'{before}\n| "a" | b |\n|---|---|\n| "1 | 2 |\n')
    assert table == ClipboardTable(('"a"', "b"), (('"1', "2"),))


def test_a_rule_below_a_line_with_bars_is_no_header_of_fewer_columns() -> None:
    table = clipboard_table(None, "a | b\n---\n1 | 2\n3 | 4\n")
    assert "a | b" in table.rows[0]


def test_of_several_tables_the_fullest_is_used() -> None:
    layout = "<table><tr><td>menu<td><table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table></table>"
    assert clipboard_table(layout, "") == ClipboardTable(("a", "b"), (("1", "2"), ("3", "4")))


def test_a_lone_surrogate_is_replaced() -> None:
    assert clipboard_table(None, "a\tb\n\ud83d\t1\n").rows == (("\ufffd", "1"),)
    assert clipboard_table("<table><tr><td>\ud83d<td>1</table>", "").columns == ("\ufffd", "1")


@pytest.mark.parametrize("text", ["", " \n\t\n", "one line of text"])
def test_what_is_no_table(text: str) -> None:
    with pytest.raises(UnreadableFile, match="no table"):
        clipboard_table("<table><tr><td> </td></tr></table>", text)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table>" + "<tr><td colspan=1000 rowspan=65000>x" * 200 + "</table>", ""),
        (None, "\t" * 10_000 + "x\n" * (MAX_CELLS // 10_000)),
    ],
    ids=["spans", "rows of different lengths"],
)
def test_few_bytes_do_not_become_millions_of_cells(html: str | None, text: str) -> None:
    with pytest.raises(UnreadableFile, match="too large"):
        clipboard_table(html, text)
