# Validates tickets with python-cas: a line of JSON in, a line of JSON out with what the client returned
# or raised.
import json
import sys

from cas import CASClient


def validate(request):
    client = CASClient(
        version=request["protocol"],
        server_url=request["server"],
        service_url=request["service"],
    )
    try:
        user, attributes, _ = client.verify_ticket(request["ticket"])
        return {"returned": {"user": user, "attributes": attributes}}
    except Exception as error:
        return {"thrown": [describe(each) for each in causes(error)]}


def causes(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def describe(error):
    kind = type(error)
    return {"class": f"{kind.__module__}.{kind.__qualname__}", "message": str(error)}


for line in sys.stdin:
    print(json.dumps(validate(json.loads(line))), flush=True)
