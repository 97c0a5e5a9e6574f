"""Every URL of the specification and of section 12 of the wire reference, with its methods."""

USERS = "/api/v1/users/me"
PARTICIPANTS = "/api/v1/researchers/participants"
DATA = "/api/v1/data-collection"
BATCH = f"{DATA}/batches/{{batch}}"
DATASET = f"{DATA}/datasets/{{dataset}}"
COLLECTION = f"{DATA}/collections/{{collection}}"
FEEDBACK = "/api/v1/submissions/signals/upload-url/{filename}"

ADDRESSES: dict[str, tuple[str, ...]] = {
    USERS: ("GET",),
    PARTICIPANTS: ("POST",),
    f"{DATA}/batches": ("GET", "POST"),
    BATCH: ("GET", "PATCH"),
    f"{BATCH}/status": ("GET",),
    f"{BATCH}/setup": ("POST",),
    f"{BATCH}/sync": ("POST",),
    f"{BATCH}/syncs/{{sync}}": ("GET",),
    f"{BATCH}/responses": ("GET",),
    f"{BATCH}/report": ("GET",),
    f"{BATCH}/duplicate": ("POST",),
    f"{BATCH}/export": ("POST",),
    f"{BATCH}/export/{{export}}": ("GET",),
    f"{BATCH}/tasks": ("GET",),
    f"{BATCH}/task-groups": ("GET",),
    f"{BATCH}/instructions": ("GET", "POST", "PUT"),
    f"{DATA}/datasets": ("POST",),
    DATASET: ("GET", "PATCH"),
    f"{DATASET}/upload-url/{{filename}}": ("GET",),
    f"{DATASET}/imports/{{import}}": ("GET",),
    f"{DATASET}/datapoints": ("POST",),
    f"{DATASET}/schema-migrations/{{migration}}": ("GET",),
    f"{DATASET}/status": ("GET",),
    f"{DATA}/collections": ("GET", "POST"),
    COLLECTION: ("GET", "PUT"),
    f"{COLLECTION}/responses": ("GET",),
    f"{COLLECTION}/export": ("POST",),
    f"{COLLECTION}/export/{{export}}": ("GET",),
    FEEDBACK: ("GET",),
}
KINDS = ("batch", "sync", "export", "dataset", "import", "migration", "collection")
UNKNOWN_ID = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"


def unknown(address: str) -> str:
    """The URL with ids that do not exist."""
    return address.format(filename="answers.csv", **dict.fromkeys(KINDS, UNKNOWN_ID))
