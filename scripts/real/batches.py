"""Takes a batch through an engine by the official SDK, and holds every object that comes back against the SDK's types.

    batches.py openai|anthropic BASE_URL

Ends with 1 where an object is not one of the SDK's, and prints how many were.
"""

import json
import sys
import time

KEYS = ["good-1", "wrong-2", "refused-3", "cut-4", "rate-5", "bad-6", "expired-7"]
found = 0


def hold(model, text):
    """The SDKs read leniently: here required members count, and members that the SDK doesn't know."""
    global found
    value = json.loads(text)
    unknown = value.keys() - model.model_fields.keys()
    assert not unknown, f"{model.__name__} knows no {sorted(unknown)}"
    found += 1
    return model.model_validate(value)


def openai(url):
    from openai import OpenAI
    from openai.types import Batch, FileObject
    from openai.types.responses import Response

    client = OpenAI(api_key="sk-dummy", base_url=url, max_retries=0)
    body = {"model": "m", "input": "complaint 7"}
    lines = [{"custom_id": key, "method": "POST", "url": "/v1/responses", "body": body} for key in KEYS]
    items = "".join(json.dumps(line) + "\n" for line in lines).encode()
    raw = client.files.with_raw_response
    file = hold(FileObject, raw.create(file=("items.jsonl", items), purpose="batch").text)
    raw = client.batches.with_raw_response
    new = {"input_file_id": file.id, "endpoint": "/v1/responses", "completion_window": "24h"}
    batch = hold(Batch, raw.create(**new).text)
    while batch.status not in ("completed", "expired", "failed", "cancelled"):
        time.sleep(0.01)
        batch = hold(Batch, raw.retrieve(batch.id).text)
    keys = []
    for file in (batch.output_file_id, batch.error_file_id):
        for line in client.files.content(file).text.splitlines():
            line = json.loads(line)
            keys.append(line["custom_id"])
            if line["response"] and line["response"]["status_code"] == 200:
                hold(Response, json.dumps(line["response"]["body"]))
    assert sorted(keys) == sorted(KEYS), keys
    counts = batch.request_counts
    assert (counts.total, counts.completed, counts.failed) == (7, 4, 3), counts
    hold(Batch, raw.cancel(hold(Batch, raw.create(**new).text).id).text)


def anthropic(url):
    from anthropic import Anthropic
    from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse

    client = Anthropic(api_key="sk-ant-dummy", base_url=url.removesuffix("/v1"), max_retries=0)
    params = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "complaint 7"}]}
    requests = [{"custom_id": key, "params": params} for key in KEYS]
    raw = client.messages.batches.with_raw_response
    batch = hold(MessageBatch, raw.create(requests=requests).text())
    while batch.processing_status != "ended":
        time.sleep(0.01)
        batch = hold(MessageBatch, raw.retrieve(batch.id).text())
    keys = []
    for result in client.messages.batches.results(batch.id):
        keys.append(hold(MessageBatchIndividualResponse, result.to_json(exclude_unset=True)).custom_id)
    assert sorted(keys) == sorted(KEYS), keys
    counts = batch.request_counts
    assert (counts.succeeded, counts.errored, counts.expired, counts.processing) == (4, 2, 1, 0), counts
    hold(MessageBatch, raw.cancel(hold(MessageBatch, raw.create(requests=requests).text()).id).text())


if __name__ == "__main__":
    {"openai": openai, "anthropic": anthropic}[sys.argv[1]](sys.argv[2])
    print(f"{found} objects are the SDK's")
