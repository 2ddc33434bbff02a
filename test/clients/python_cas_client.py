# Validates tickets, and gets proxy tickets, with python-cas: a line of JSON in, a line of JSON out with what the client returned
# or raised.
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from cas import CASClient

# Proxy-granting tickets by their PGTIOU.
granted = {}


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        parameters = parse_qs(urlsplit(self.path).query)
        if "pgtIou" in parameters:
            granted[parameters["pgtIou"][0]] = parameters["pgtId"][0]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def proxy(request):
    # Validates a ticket with a callback, gets a proxy ticket for the target, and validates that.
    callback = HTTPServer(("127.0.0.1", 0), Callback)
    Thread(target=callback.serve_forever, daemon=True).start()
    try:
        client = client_for(
            request,
            request["service"],
            proxy_callback=f"http://127.0.0.1:{callback.server_port}/callback",
        )
        _, _, iou = client.verify_ticket(request["ticket"])
        target = client_for(request, request["target"])
        ticket = target.get_proxy_ticket(granted[iou])
        target.url_suffix = "p3/proxyValidate"
        user, _, _ = target.verify_ticket(ticket)
        return {"returned": {"user": user}}
    except Exception as error:
        return {"thrown": [describe(each) for each in causes(error)]}
    finally:
        callback.shutdown()


def client_for(request, service, **options):
    return CASClient(
        version=request["protocol"], server_url=request["server"], service_url=service, **options
    )


def validate(request):
    client = client_for(request, request["service"])
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
    given = json.loads(line)
    print(json.dumps(proxy(given) if "target" in given else validate(given)), flush=True)
