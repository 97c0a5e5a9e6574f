"""Tests of `api/http`."""
