"""How many records and answers a study needs: a dialog for every stage that asks."""
