"""Tests of `ui/editor/item_types`."""
