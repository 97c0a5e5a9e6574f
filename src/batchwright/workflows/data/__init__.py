"""Datasets: creating them, uploading, appending and finding records, changing schemas."""
