"""The README.md of an archive: how to use what is in it (wire.md 8)."""

README = """\
# Responses of a batch

| file | what it holds |
|---|---|
| `responses-by-submission.jsonl` | one line per submission: who answered, and all their answers |
| `responses-by-task.jsonl` | one line per task: the datapoint, and all answers to it |
| `batch.json` | the batch, with the layout that participants were shown |
| `files/` | files that participants uploaded, when there are any |

Each answer names its instruction by `instruction_id`; the items of `batch_items` in `batch.json`
carry the same ids. The file of an entry with a `file_key` lies in `files/<file_key>/`.

```python
import json

with open("responses-by-task.jsonl", encoding="utf-8") as lines:
    for line in lines:
        task = json.loads(line)
        for answer in task["responses"]:
            print(task["task_id"], answer["participant_id"], answer["response"]["answer"])
```
"""

README_OF_COLLECTION = """\
# Responses to a collection

| file | what it holds |
|---|---|
| `responses.jsonl` | one line per submission: who answered, and all their answers |
| `collection.json` | the collection, with the pages that participants were shown |
| `files/` | files that participants uploaded, when there are any |

Each answer names its instruction by `instruction_id`; the `page_items` in `collection.json` carry
the same ids. The file of an entry with a `file_key` lies in `files/<file_key>/`.

```python
import json

with open("responses.jsonl", encoding="utf-8") as lines:
    for line in lines:
        submission = json.loads(line)
        for answer in submission["responses"]:
            print(submission["participant_id"], answer["response"]["answer"])
```
"""
