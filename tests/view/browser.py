"""A headless browser, driven over the WebDriver protocol (W3C) by the standard library alone.

    with Browser() as b:
        b.open("/tmp/page.html")
        b.run("return document.title")
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
# WebGL by software: test machines have no GPU.
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Right": "\ue014", "Left": "\ue012", "Home": "\ue011", "Tab": "\ue004", "Shift": "\ue008"}


class Browser:
    def __init__(self, flags=WEBGL, size=(1440, 900)):
        self.folder = tempfile.mkdtemp()
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.driver = subprocess.Popen([DRIVER, f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        options = {"binary": CHROMIUM, "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                                                f"--user-data-dir={self.folder}", f"--window-size={size[0]},{size[1]}", *flags]}
        want = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}
        self.session = ""
        for attempt in range(100):
            try:
                self.session = "/session/" + self.call("POST", "/session", want, timeout=60)["sessionId"]
                break
            except (ConnectionError, urllib.error.URLError):
                if attempt == 99:
                    raise
                time.sleep(0.1)

    def call(self, method, path, body=None, timeout=60):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def post(self, path, **body):
        return self.call("POST", self.session + path, body)

    def get(self, path):
        return self.call("GET", self.session + path)

    def open(self, path):
        """Opens a page and waits until it is ready."""
        self.post("/url", url="file://" + os.path.realpath(path))
        self.wait("return document.documentElement.dataset.ready === 'true'")
        self.settle()

    def run(self, script, *args):
        return self.post("/execute/sync", script=script, args=list(args))

    def later(self, script, *args):
        """A script that ends by calling its last argument."""
        return self.post("/execute/async", script=script, args=list(args))

    def wait(self, script, seconds=30):
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError(f"never came true: {script}; console: {self.log()}")
            time.sleep(0.05)

    def settle(self):
        """Waits until two frames have been drawn."""
        self.later("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))")

    def log(self):
        """What the console says, since it was asked last."""
        return [entry["message"] for entry in self.post("/se/log", type="browser") if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path=None):
        png = base64.b64decode(self.get("/screenshot"))
        if path:
            with open(path, "wb") as f:
                f.write(png)
        return png

    def find(self, css):
        return self.post("/element", using="css selector", value=css)[ELEMENT]

    def click(self, css):
        self.post(f"/element/{self.find(css)}/click")
        self.settle()

    def choose(self, css, value):
        """An option of a <select>."""
        self.click(f"{css} option[value='{value}']")

    def press(self, *keys):
        """Keys one after the other, wherever the focus is."""
        actions = []
        for key in keys:
            key = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.post("/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])
        self.settle()

    def move(self, x, y, click=False):
        """The pointer to a place of the window; a click there."""
        actions = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}]
        if click:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.post("/actions", actions=[{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}])
        self.settle()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        except (RuntimeError, OSError):
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
