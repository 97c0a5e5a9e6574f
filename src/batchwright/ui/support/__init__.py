"""Help for the user: About, settings, support report, update check."""
