"""Uploads to and downloads from storage, in chunks and resumable."""
