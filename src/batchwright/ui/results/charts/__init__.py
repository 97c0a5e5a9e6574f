"""Charts that are painted, reached by keys and screen readers, saved and copied."""
