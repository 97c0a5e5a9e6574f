"""Hypothesis strategies for layouts, schemas and records, sound and broken.

Each draws from the generators of `tests.samples` with a `Random` that hypothesis controls, so
that it finds what the seeded samples find, and can shrink it.
"""

from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.samples.invalid_layouts import random_layout
from tests.samples.layouts import LayoutSample, sound_layout
from tests.samples.records import RecordSample, random_record, sound_record
from tests.samples.schemas import Schema, random_schema

UNHURRIED: Final = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
"""For tests that draw whole layouts or records, each of which takes many choices."""

_randoms = st.randoms(use_true_random=False)


def sound_layouts() -> SearchStrategy[LayoutSample]:
    """Layouts without a fault, of every item type."""
    return st.builds(sound_layout, _randoms)


def layouts() -> SearchStrategy[LayoutSample]:
    """Layouts of which half are broken, in one to three ways."""
    return st.builds(random_layout, _randoms)


def schemas() -> SearchStrategy[Schema]:
    """Sound schemas."""
    return st.builds(random_schema, _randoms)


def sound_records() -> SearchStrategy[RecordSample]:
    """Records that their schema accepts."""
    return st.builds(sound_record, _randoms)


def records() -> SearchStrategy[RecordSample]:
    """Records: sound ones, ones with odd values, and broken ones."""
    return st.builds(random_record, _randoms)
