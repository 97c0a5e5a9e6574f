"""An independent client, written from the specification and the wire reference alone.

It uses the standard library and none of this program's code: requests are sent with `http.client` and
`socket`, and responses are compared with tables copied from the wire reference.
"""
