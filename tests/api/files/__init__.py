"""Tests of `api/files`."""
