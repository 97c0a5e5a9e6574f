"""Tests of `ui/study/file`."""
