"""Someone else's client, written from the specification and its wire reference alone.

It knows the standard library and nothing of this program: requests go out through `http.client` and `socket`,
and what comes back is held against tables copied from the wire reference.
"""
