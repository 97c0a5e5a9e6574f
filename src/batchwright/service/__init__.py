"""The local service: the API of the hosted service on this computer, with its data in one folder.

Start reading at `routes`, the table of all endpoints. `server` runs the service; other packages import only
`process`.
"""
