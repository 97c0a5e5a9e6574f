"""Tests of `ui/widgets/tables`."""
