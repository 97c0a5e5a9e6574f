"""Numbers as spreadsheet programs show them."""

import pytest

from batchwright.data_files.sources.number_formats import is_date_format, number_format


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        ("0", 1.5, "2"),
        ("0.00", 1.005, "1.01"),
        ("0.00", -1.5, "-1.50"),
        ("00000", 7, "00007"),
        ("0%", 0.5, "50%"),
        ("0.00%", 0.1234, "12.34%"),
        ("#,##0", 999, "999"),
        ("#,##0", 1234567, "1,234,567"),
        ("#,##0.00", 1234.5, "1,234.50"),
        ("0,000", 5, "0,005"),
        ('"€" #,##0.00', 12.5, "€ 12.50"),
        ("[$€-407] #,##0.00", -12.5, "-€ 12.50"),
        ("#,##0.00_);[Red](#,##0.00)", -1234.5, "(1,234.50)"),
        ('0" kg"', 3, "3 kg"),
        ("0", 12345678901234567890, "12345678901234600000"),
        ("000-00-0000", 12345678, "012-34-5678"),
        ("(000) 000\\-0000", 15551234567, "(1555) 123-4567"),
        ('00"/"00', 105, "01/05"),
        ('0"0"0', -12, "-102"),
        ("0.0#", 5, "5.0"),
        ("0.##%", 0.07256, "7.26%"),
        ("0.##%", 0.05, "5%"),
        ("0.0%", 1e300, "1" + "0" * 302 + ".0%"),
    ],
)
def test_a_number_is_written_in_its_format(code: str, number: float, text: str) -> None:
    write = number_format(code)
    assert write is not None
    assert write(number) == text


@pytest.mark.parametrize(
    "code",
    [
        "",
        "General",
        "@",
        "# ?/?",
        "0.00E+00",
        "dd/mm/yyyy",
        "0.0,",
        "[<5]0;0",
        "###",
        '"0',
        "0;@",
        "0;;",
        "0/00",
        "0%0",
        "0.",
    ],
)
def test_other_formats_are_not_applied(code: str) -> None:
    assert number_format(code) is None


def test_formats_of_dates() -> None:
    assert all(map(is_date_format, ["dd/mm/yyyy", "hh:mm", "[$-409]mmm d", "[Red]ss.0"]))
    assert not any(
        map(is_date_format, ["General", "0.00", '0" days"', "[$USD] 0", "@", "", "[h]:mm", "[MM]:ss"])
    )
