"""Does with botocore, AWS's own Python library, what our Bedrock adapter does.

usage: bedrock.py sign       signs each request of standard input for Bedrock, with the keys of AWS's examples
       bedrock.py events     reads the event stream of ConverseStream that standard input holds in hexadecimal

Input and output are one JSON value a line.
"""

import base64
import datetime
import json
import sys
import urllib.parse

import botocore.auth
import botocore.awsrequest
import botocore.credentials
import botocore.eventstream
import botocore.loaders
import botocore.model
import botocore.parsers


def sign(case):
    now = datetime.datetime.fromtimestamp(case["seconds"], datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda *arguments, **options: now.replace(tzinfo=None)
    host = urllib.parse.urlsplit(case["url"]).hostname
    found = [part for part in host.split(".") if part.count("-") == 2]
    credentials = botocore.credentials.Credentials(
        "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", case["token"]
    )
    request = botocore.awsrequest.AWSRequest("POST", case["url"], case["headers"], case["body"].encode())
    botocore.auth.SigV4Auth(credentials, "bedrock", found[0] if found else "us-west-2").add_auth(request)
    added = {name.lower(): value for name, value in request.headers.items()}
    print(json.dumps({name: value for name, value in added.items() if name not in case["headers"]}))


def plain(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return value


def events(stream):
    model = botocore.loaders.Loader().load_service_model("bedrock-runtime", "service-2")
    output = botocore.model.ServiceModel(model).operation_model("ConverseStream").output_shape
    shape = output.members["stream"]
    parser = botocore.parsers.EventStreamJSONParser()
    buffer = botocore.eventstream.EventStreamBuffer()
    buffer.add_data(bytes.fromhex(stream))
    for event in buffer:
        response = event.to_response_dict()
        kind = event.headers[":message-type"]
        if kind == "event":
            ((name, data),) = parser.parse(response, shape).items()
        else:
            error = parser.parse(response, shape)["Error"]
            name, data = f"{kind}:{error['Code']}", {"message": error["Message"]}
        print(json.dumps({"name": name, "data": plain(data)}))


def main():
    command = {"sign": sign, "events": events}[sys.argv[1]]
    for line in sys.stdin:
        command(json.loads(line))


if __name__ == "__main__":
    main()
