"""Relays between a role's processes and the services, one port for each role and service: they note each call as the
permission that it takes, and the resource that it takes it on."""

import http.client
import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

# Calls whose permission has another name.
PERMISSIONS = {
    "SendMessageBatch": "SendMessage", "DeleteMessageBatch": "DeleteMessage",
    "ChangeMessageVisibilityBatch": "ChangeMessageVisibility", "HeadBucket": "ListBucket",
    "ListObjectsV2": "ListBucket", "DeleteObjects": "DeleteObject",
    "PutPublicAccessBlock": "PutBucketPublicAccessBlock",
    "GetBucketLifecycleConfiguration": "GetLifecycleConfiguration",
    "PutBucketLifecycleConfiguration": "PutLifecycleConfiguration"}
TRANSACTED = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}


def response_queues(name):
    """A response queue is any of its cluster's."""
    return re.sub(r"-response-.*", "-response-*", name)


def sqs(operation, body):
    """What a call of SQS takes: the queue by its name or its address."""
    name = body.get("QueueName") or body.get("QueueUrl", "*").rsplit("/", 1)[-1]
    return {("sqs:" + PERMISSIONS.get(operation, operation), "*" if operation == "ListQueues" else response_queues(name))}


def dynamodb(operation, body):
    """What a call of DynamoDB takes, for each of its tables."""
    if operation == "TransactWriteItems":
        return {("dynamodb:" + TRANSACTED[kind], item["TableName"])
                for write in body["TransactItems"] for kind, item in write.items()}
    if operation == "BatchGetItem":
        return {("dynamodb:BatchGetItem", table) for table in body["RequestItems"]}
    index = "/index/" + body["IndexName"] if "IndexName" in body else ""
    return {("dynamodb:" + operation, body["TableName"] + index)}


def s3(method, target):
    """What a call of S3 takes, on the bucket or on the objects of a cluster."""
    parts = urlsplit(target)
    path = parts.path.strip("/").split("/", 2)
    query = parse_qs(parts.query, keep_blank_values=True)
    if len(path) > 1 and path[1]:
        named = {"PUT": "PutObject", "DELETE": "DeleteObject"}.get(method, "GetObject")
        return {("s3:" + named, f"bucket/{path[1]}/*")}
    if "delete" in query:
        return {("s3:DeleteObject", "bucket/Q/*")}
    if "publicAccessBlock" in query:
        return {("s3:PutBucketPublicAccessBlock", "bucket")}
    if "lifecycle" in query:
        return {(f"s3:{method.capitalize()}LifecycleConfiguration", "bucket")}
    if method == "PUT":
        # with the ownership of its objects
        return {("s3:CreateBucket", "bucket"), ("s3:PutBucketOwnershipControls", "bucket")}
    return {("s3:" + {"DELETE": "DeleteBucket"}.get(method, "ListBucket"), "bucket")}


def form(body):
    """The fields of a call of EC2; what it takes is worked out in ec2_policy."""
    return {key: found[0] for key, found in parse_qs(body.decode(), keep_blank_values=True).items()}


class RelayServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # a process that ends leaves its connections as they are
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Recorder:
    """One role's relays, and what was called through them."""

    def __init__(self, upstreams):
        self.calls = set()
        self.ec2_calls = []
        self.servers = {service: self.serve(service, urlsplit(url)) for service, url in upstreams.items()}

    def environment(self):
        return {
            f"AWS_ENDPOINT_URL_{service.upper()}": f"http://127.0.0.1:{server.server_port}"
            for service, server in self.servers.items()}

    def close(self):
        for server in self.servers.values():
            server.shutdown()
            server.server_close()

    def serve(self, service, upstream):
        recorder = self

        class Relay(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def relay(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if service == "ec2":
                    recorder.ec2_calls.append(form(body))
                else:
                    recorder.calls |= recorder.permissions(service, self, body)
                connection = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=60)
                headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection", "expect")}
                try:
                    connection.request(self.command, self.path, body or None, headers)
                    answer = connection.getresponse()
                    content = answer.read()
                    self.send_response(answer.status, answer.reason)
                    for key, value in answer.getheaders():
                        if key.lower() not in ("transfer-encoding", "connection", "content-length", "date", "server"):
                            self.send_header(key, value)
                    length = answer.getheader("Content-Length") if self.command == "HEAD" else None
                    self.send_header("Content-Length", length or str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    self.close_connection = True  # one side is gone: the other sees it
                finally:
                    connection.close()

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = relay

            def log_message(self, *_):
                pass

        server = RelayServer(("127.0.0.1", 0), Relay)
        threading.Thread(target=server.serve_forever, daemon=True, name=f"relay-{service}").start()
        return server

    @staticmethod
    def permissions(service, request, body):
        if service == "s3":
            return s3(request.command, request.path)
        operation = request.headers["X-Amz-Target"].split(".")[-1]
        return {"sqs": sqs, "dynamodb": dynamodb}[service](operation, json.loads(body))
