"""Numbers of results in the user's locale."""

from collections.abc import Iterator
from math import nan

import pytest
from PySide6.QtCore import QLocale

from batchwright.analysis.charts import PRINT_WIDTH
from batchwright.analysis.result_charts import agreement_chart
from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow
from batchwright.ui.results.statistics.number_texts import decimal, interval, share

pytestmark = pytest.mark.gui


@pytest.fixture
def german_window(german: None) -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("german_window")
def test_charts_write_numbers_like_the_rest_of_the_window() -> None:
    row = AgreementRow("q", "", "", "", "", "Gwet's AC1", "", 0.8, -0.25, 0.9, 1200, 400, 3, 3600)
    chart = agreement_chart("Q", [row])(PRINT_WIDTH)
    assert chart.text(0).startswith("Gwets AC1: 0,800; 95-%-Intervall: −0,250 bis 0,900")
    assert "1.200 Einträge" in chart.text(0)
    assert (decimal(1234.5), interval(0.25, 1), decimal(nan)) == ("1.234,50", "0,25 bis 1,00", "–")
    assert share(0.5) == "50 %"
