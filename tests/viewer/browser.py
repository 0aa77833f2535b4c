"""browser.py - a Chromium for tests, spoken to over the DevTools protocol with nothing but the
standard library.

    with Browser("chromium") as b:
        b.open("page.html", width=1200, height=800)
        b.js("document.title")

Whatever the page says on its console as an error, throws, or asks of a network is kept in b.complaints.
"""

import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class Socket:
    """The client's half of a WebSocket: text frames, which is all that DevTools uses."""

    def __init__(self, url):
        host, _, path = url.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.raw = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.raw.sendall((f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                          f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                          "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.raw.recv(1)
        if b" 101 " not in head:
            raise OSError("the browser refused a WebSocket")

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = b"\x81" + (bytes([128 | size]) if size < 126 else
                          struct.pack("!BH", 254, size) if size < 65536 else
                          struct.pack("!BQ", 255, size))
        body = bytes(x ^ mask[i % 4] for i, x in enumerate(data))
        self.raw.sendall(head + mask + body)

    def exactly(self, size):
        parts = []
        while size:
            part = self.raw.recv(min(size, 1 << 20))
            if not part:
                raise OSError("the browser hung up")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def receive(self):
        text = b""
        while True:
            first, second = self.exactly(2)
            size = second & 127
            if size == 126:
                size, = struct.unpack("!H", self.exactly(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.exactly(8))
            data = self.exactly(size)
            if first & 15 in (0, 1):
                text += data
                if first & 128:
                    return text.decode()


class Browser:
    def __init__(self, program):
        self.program, self.count, self.events = program, 0, []
        self.complaints = []

    def __enter__(self):
        self.home = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--remote-debugging-port=0",
             f"--user-data-dir={self.home}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = pathlib.Path(self.home, "DevToolsActivePort")
        end = time.monotonic() + 60
        while not (port.exists() and port.read_text().count("\n")):
            if self.process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                raise OSError("the browser does not start")
            time.sleep(0.05)
        number = port.read_text().split()[0]
        tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json/list", timeout=60))
        self.socket = Socket(next(t for t in tabs if t["type"] == "page")["webSocketDebuggerUrl"])
        self.call("Performance.enable", timeDomain="threadTicks")
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def note(self, message):
        method, p = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.complaints.append(d.get("exception", {}).get("description", d["text"]))
        elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            self.complaints.append("console: " + str([a.get("value") for a in p["args"]]))
        elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            self.complaints.append(p["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = p["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.complaints.append("asked for " + url[:100])
        self.events.append(method)

    def call(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.count:
                if "error" in message:
                    raise OSError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.note(message)

    def open(self, path, width=1280, height=800, scale=1, dark=False, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=mobile)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        path, _, link = str(path).partition("#")
        self.call("Page.navigate", url="about:blank") # so that another link is another page
        while "Page.loadEventFired" not in self.events:
            self.note(json.loads(self.socket.receive()))
        self.events.clear()
        self.call("Page.navigate",
                  url=pathlib.Path(path).absolute().as_uri() + ("#" + link if link else ""))
        while "Page.loadEventFired" not in self.events:
            self.note(json.loads(self.socket.receive()))
        self.frames() # what the page draws first

    def js(self, expression):
        """The value of an expression, of a promise when it gives one."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            d = result["exceptionDetails"]
            raise AssertionError(d.get("exception", {}).get("description", d["text"]))
        return result["result"].get("value")

    def cpu(self):
        """Seconds that the page's thread has had of a processor since it was opened."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}

    def key(self, key, code="", text=None, shift=False):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            if key in self.CODES:
                more["windowsVirtualKeyCode"] = self.CODES[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      modifiers=8 if shift else 0, **more)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def tap(self, x, y):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def swipe(self, points):
        (x, y), *rest = points
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for x, y in rest:
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, points):
        (x, y), *rest = points
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for x, y in rest:
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", x, y, button="left", buttons=0, clickCount=1)

    def frames(self, count=2):
        self.js("new Promise(done => { let left = %d;"
                "const f = () => left-- ? requestAnimationFrame(f) : done(); f(); })" % count)

    def shot(self, path):
        self.frames()
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
