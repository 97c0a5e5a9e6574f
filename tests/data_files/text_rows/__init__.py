"""Tests of `data_files`."""
