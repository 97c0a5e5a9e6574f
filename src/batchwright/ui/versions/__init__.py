"""The versions of a study: a list, the comparison of two of them page by page, and restoring one."""
