"""How the editor shows each item type: icon, body of its card, form in the inspector, and preview.

`registry` lists the types; to add one, add its module here and a line there.
"""
