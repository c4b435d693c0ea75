"""A metadata service like that of an EC2 instance, by version 2 of its protocol, on a port of this machine's loopback.

Usage: metadata.py ENTRY=VALUE...   prints its endpoint, and serves these entries until its standard input ends
"""

import http.server
import secrets
import sys
import threading


class Metadata(http.server.ThreadingHTTPServer):
    """The metadata service of one instance, by version 2 of its protocol."""

    daemon_threads = True

    def __init__(self, entries):
        super().__init__(("127.0.0.1", 0), MetadataHandler)
        self.entries = entries
        self.tokens = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def endpoint(self):
        return "http://127.0.0.1:%d" % self.server_address[1]


class MetadataHandler(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        seconds = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds", "0")
        if self.path != "/latest/api/token":
            self.answer(405)
        elif not seconds.isdigit() or not 1 <= int(seconds) <= 21600:
            self.answer(400)
        else:
            token = secrets.token_urlsafe(32)
            self.server.tokens.add(token)
            self.answer(200, token)

    def do_GET(self):
        if self.headers.get("X-aws-ec2-metadata-token") not in self.server.tokens:
            self.answer(401)
            return
        found = self.server.entries.get(self.path.removeprefix("/latest/meta-data/"))
        self.answer(404 if found is None else 200, found or "")

    def answer(self, status, text=""):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *unused):
        pass


def main(arguments):
    service = Metadata(dict(argument.split("=", 1) for argument in arguments))
    print(service.endpoint, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
