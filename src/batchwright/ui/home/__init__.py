"""Home: where a person starts, with recent studies, templates, the sample study and the connections."""
