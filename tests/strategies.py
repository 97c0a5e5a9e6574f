"""Hypothesis strategies for valid and invalid layouts, schemas and records.

Each draws from the generators of `tests.samples` with a `Random` that Hypothesis controls, so that failing
examples can be shrunk.
"""

from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.samples.invalid_layouts import random_layout
from tests.samples.layouts import LayoutSample, valid_layout
from tests.samples.records import RecordSample, random_record, valid_record
from tests.samples.schemas import Schema, random_schema

SLOW_STRATEGY: Final = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
"""For strategies that draw whole layouts or records, which take many choices."""

_randoms = st.randoms(use_true_random=False)


def valid_layouts() -> SearchStrategy[LayoutSample]:
    """Valid layouts with all item types."""
    return st.builds(valid_layout, _randoms)


def layouts() -> SearchStrategy[LayoutSample]:
    """Layouts, half of them invalid in one to three ways."""
    return st.builds(random_layout, _randoms)


def schemas() -> SearchStrategy[Schema]:
    """Valid schemas."""
    return st.builds(random_schema, _randoms)


def valid_records() -> SearchStrategy[RecordSample]:
    """Records that conform to their schema."""
    return st.builds(valid_record, _randoms)


def records() -> SearchStrategy[RecordSample]:
    """Records: valid ones, ones with unusual values, and invalid ones."""
    return st.builds(random_record, _randoms)
