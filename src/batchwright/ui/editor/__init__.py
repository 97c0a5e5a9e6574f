"""The Layout stage: palette, pages, canvas, inspector, problems and preview."""
