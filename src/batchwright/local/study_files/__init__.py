"""The files of studies: their formats and versions, and merging with what another program wrote."""
