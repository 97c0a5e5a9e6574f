"""The widgets used by all stages. Each paints itself from the theme and has a name and a role."""
