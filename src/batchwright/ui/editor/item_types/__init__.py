"""How the editor presents each item type: icon, card body, inspector form and preview control.

`registry` lists the types. To add one, add its module here and an entry there.
"""
