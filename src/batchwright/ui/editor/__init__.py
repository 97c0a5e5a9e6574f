"""The Layout stage: parts, pages, canvas, inspector, problems and preview."""
