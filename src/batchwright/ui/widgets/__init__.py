"""The widgets that every stage is made of. Each paints itself from the theme and has a name and a role."""
