"""Tests of `ui/widgets/dialogs`."""
