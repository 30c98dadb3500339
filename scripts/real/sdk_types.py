"""Holds request bodies against the official SDKs' own types.

Standard input: one JSON object a line, {"kind": KIND, "label": TEXT, "body": OBJECT}. Prints a line for each fault and
ends with 1 if there was one. Kinds: responses and chat (openai), glm (a chat with
members of its own), messages (anthropic), gemini
(google-genai), converse (botocore's model of Amazon Bedrock).

The SDKs declare bodies as TypedDicts, which check nothing at run time. Pydantic does, once each of them is told to take
no unknown key and no value of another type, and once their lazy iterables are made lists.
"""

import functools
import importlib
import json
import pkgutil
import sys
import typing

import pydantic
from typing_extensions import is_typeddict

# Most faults that are shown of one body.
SHOWN = 6


@functools.cache
def load(package):
    """Imports all type modules of an SDK and makes its TypedDicts strict."""
    root = importlib.import_module(package + ".types")
    found = pkgutil.walk_packages(root.__path__, root.__name__ + ".")
    for module in [root, *(importlib.import_module(entry.name) for entry in found)]:
        for lazy in {"Iterable", "Sequence", "SequenceNotStr"} & vars(module).keys():
            setattr(module, lazy, typing.List)
        for value in list(vars(module).values()):
            if is_typeddict(value):
                value.__pydantic_config__ = {"extra": "forbid", "strict": True, "arbitrary_types_allowed": True}


@functools.cache
def typed_dict(package, module, name):
    load(package)
    return pydantic.TypeAdapter(getattr(importlib.import_module(f"{package}.types.{module}"), name))


def by_typed_dict(package, module, name):
    def check(body):
        form = "Streaming" if body.get("stream") else "NonStreaming"
        typed_dict(package, module, name + form).validate_python(body)

    return check


def responses(body):
    """The API takes a replayed answer without its id; the SDK's type of an answer asks for all of it."""
    for item in body["input"] if isinstance(body["input"], list) else []:
        if isinstance(item, dict) and item.get("type") == "message":
            item.setdefault("id", "msg_1")
            item.setdefault("status", "completed")
            for part in item["content"]:
                part.setdefault("annotations", [])
    by_typed_dict("openai", "responses.response_create_params", "ResponseCreateParams")(body)


def messages(body):
    """The SDK sends a newer API version than our adapter, one that has no temperature any more."""
    body = {key: value for key, value in body.items() if key != "temperature"}
    by_typed_dict("anthropic", "message_create_params", "MessageCreateParams")(body)


def glm(body):
    """Chat Completions with members of GLM's own."""
    own = {"thinking", "tool_stream", "do_sample", "request_id"}
    KINDS["chat"]({key: value for key, value in body.items() if key not in own})


def gemini(body):
    from google.genai import types

    members = {
        "contents": list[types.Content],
        "systemInstruction": types.Content,
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "generationConfig": types.GenerationConfig,
    }
    unknown = body.keys() - members.keys()
    if unknown or "contents" not in body:
        raise ValueError(f"unknown members {sorted(unknown)}, or no contents")
    for name, value in body.items():
        pydantic.TypeAdapter(members[name]).validate_json(json.dumps(value))


@functools.cache
def converse_shape():
    import botocore.loaders
    import botocore.model

    model = botocore.loaders.Loader().load_service_model("bedrock-runtime", "service-2")
    return botocore.model.ServiceModel(model).operation_model("Converse").input_shape


def converse(body):
    import botocore.validate

    # The model goes in the path.
    report = botocore.validate.ParamValidator().validate({"modelId": "m", **body}, converse_shape())
    if report.has_errors():
        raise ValueError(report.generate_report())
    unknown = body.keys() - converse_shape().members.keys()
    if unknown:
        raise ValueError(f"unknown members {sorted(unknown)}")


KINDS = {
    "responses": responses,
    "chat": by_typed_dict("openai", "chat.completion_create_params", "CompletionCreateParams"),
    "glm": glm,
    "messages": messages,
    "gemini": gemini,
    "converse": converse,
}


def place(steps):
    """Where a fault is, without the names of whole unions."""
    return ".".join(str(step) for step in steps if "[" not in str(step))


def faults(case):
    try:
        KINDS[case["kind"]](case["body"])
    except pydantic.ValidationError as error:
        # A value that fits no branch of a union is at fault in each: those that got furthest tell most.
        deepest = sorted(error.errors(), key=lambda fault: -len(fault["loc"]))[:SHOWN]
        return [f"{place(fault['loc'])}: {fault['msg']}" for fault in deepest]
    except ValueError as error:
        return [str(error)]
    return []


def main():
    found = False
    for line in sys.stdin:
        case = json.loads(line)
        for fault in faults(case):
            print(f"{case['kind']} {case['label']}: {fault}")
            found = True
    return found


if __name__ == "__main__":
    sys.exit(main())
