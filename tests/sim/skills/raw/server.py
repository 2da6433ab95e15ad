"""A server of tools in plain Python that misbehaves on request; quick to start. Its tools do what their names say."""

import json
import os
import socket
import sys
import time

TOOLS = {
    "echo": "Say it back.",
    "count": "How many calls this process has had.",
    "crash": "",
    "hang": "",
    "flood_output": "",
    "flood_errors": "",
    "rubbish": "",
    "endless_line": "",
    "invalid": "",
    "long_text": "",
    "pictures": "",
    "leave": "",
    "secrets": "",
    "huge": "",
    "ask": "",
    "meta": "",
    "_internal": "",
}

NOTE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}


def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def tried(action):
    try:
        action()
        return "done"
    except Exception as error:
        return type(error).__name__


def leave(folder, port):
    outside = ["/usr/outside.txt", "/sandbox/skill/server.py", "/etc/outside"]
    found = {path: tried(lambda path=path: open(path, "a").close()) for path in outside}
    found["beside"] = tried(lambda: open(os.path.dirname(folder) + "/outside.txt", "w").close())
    found["read"] = tried(lambda: open("/root/.bashrc" if os.path.exists("/root") else "/home").close())
    found["network"] = tried(lambda: socket.create_connection(("127.0.0.1", port), timeout=1))
    found["own"] = tried(lambda: open(folder + "/own.txt", "w").close())
    return found


def called(name, arguments, meta, number):
    if name == "echo":
        return text(arguments["words"])
    if name == "count":
        return text(str(number))
    if name == "crash":
        sys.stderr.write("something broke\n")
        os._exit(3)
    if name == "hang":
        time.sleep(600)
    if name in ("flood_output", "flood_errors"):
        stream = sys.stdout if name == "flood_output" else sys.stderr
        while True:
            stream.write((json.dumps(NOTE) + "\n") * 1000)
    if name == "rubbish":
        while True:
            sys.stdout.write("this is no protocol\n")
    if name == "endless_line":
        while True:
            sys.stdout.write("x" * 65536)
    if name == "invalid":
        return {"content": "not a list"}
    if name == "huge":
        return text("x" * 100_000_000)
    if name == "long_text":
        return text("a\x1b[31m" + "b" * 100_000 + "end")
    if name == "pictures":
        return {
            "content": [
                {"type": "image", "data": data, "mimeType": "image/png"} for data in arguments["data"]
            ]
        }
    if name == "leave":
        return text(json.dumps(leave(meta["reprolab"]["work_dir"], arguments["port"])))
    if name == "secrets":
        return text(json.dumps(dict(os.environ)))
    if name == "meta":
        return text(json.dumps(meta))
    return text("nothing")


def main():
    number = 0
    for line in sys.stdin:
        message = json.loads(line)
        method, ident, params = message.get("method"), message.get("id"), message.get("params", {})
        if method == "initialize":
            say(
                {
                    "id": ident,
                    "result": {
                        "protocolVersion": params["protocolVersion"],
                        "capabilities": {"tools": {}},
                        "serverInfo": {"name": "raw", "version": "1"},
                    },
                }
            )
        elif method == "tools/list":
            schema = {"type": "object", "properties": {"words": {"type": "string", "format": "words"}}}
            say(
                {
                    "id": ident,
                    "result": {
                        "tools": [
                            {"name": name, "description": about, "inputSchema": schema}
                            for name, about in TOOLS.items()
                        ]
                    },
                }
            )
        elif method == "tools/call":
            number += 1
            say(
                {
                    "id": ident,
                    "result": called(
                        params["name"], params.get("arguments", {}), params.get("_meta", {}), number
                    ),
                }
            )


main()
