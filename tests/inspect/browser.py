"""A real browser without a window, driven over the WebDriver protocol, of which these tests need little."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowDown": "\ue015"}


def missing() -> str:
    """Why there is no browser here; empty when there is one."""
    if not any(map(shutil.which, BROWSERS)):
        return "no chromium here"
    return "" if shutil.which("chromedriver") else "no chromedriver here"


class Browser:
    """One session."""

    def __init__(self, address: str, session: str) -> None:
        self._base = f"{address}/session/{session}"

    def open(self, url: str) -> None:
        ask(f"{self._base}/url", {"url": url})

    def script(self, body: str, *arguments: Any) -> Any:
        """What `body`, the body of a function, returns."""
        return ask(f"{self._base}/execute/sync", {"script": body, "args": list(arguments)})

    def wait(self, condition: str, *arguments: Any) -> Any:
        """The first true value of an expression."""
        for _ in range(400):
            if found := self.script(f"return {condition}", *arguments):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {condition}")

    def click(self, selector: str) -> None:
        """A click of the mouse in the middle of the first element that fits."""
        ask(f"{self._base}/element/{self._find(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        ask(f"{self._base}/element/{self._find(selector)}/value", {"text": text})

    def press(self, *keys: str) -> None:
        """Keys, one after another, to whatever has the focus."""
        pressed = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": key} for key in pressed for kind in ("keyDown", "keyUp")]
        ask(f"{self._base}/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def texts(self, selector: str) -> list[str]:
        """What the visible ones of the elements say."""
        return list(
            self.script(
                "return [...document.querySelectorAll(arguments[0])]"
                ".filter((each) => each.checkVisibility()).map((each) => each.textContent)",
                selector,
            )
        )

    def log(self) -> list[str]:
        """What the browser complained of since it was last asked."""
        return [entry["message"] for entry in ask(f"{self._base}/se/log", {"type": "browser"})]

    def resize(self, width: int, height: int) -> None:
        ask(f"{self._base}/window/rect", {"width": width, "height": height})

    def media(self, **features: str) -> None:
        """Pretend to be a medium (`type`), or a preference of whoever looks."""
        kind = features.pop("type", "")
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.command("Emulation.setEmulatedMedia", {"media": kind, "features": wanted})

    def command(self, name: str, parameters: Mapping[str, Any]) -> Any:
        return ask(f"{self._base}/goog/cdp/execute", {"cmd": name, "params": dict(parameters)})

    def screenshot(self, place: Path) -> None:
        place.write_bytes(base64.b64decode(ask(f"{self._base}/screenshot", None)))

    def _find(self, selector: str) -> str:
        return str(ask(f"{self._base}/element", {"using": "css selector", "value": selector})[ELEMENT])


def ask(url: str, body: Mapping[str, Any] | None, method: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method or None)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
        return json.load(answer)["value"]


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """A browser that keeps what it keeps in a folder, until the block ends."""
    binary = next(filter(None, map(shutil.which, BROWSERS)))
    driver = subprocess.Popen(
        ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        address = _address(driver)
        options = {
            "binary": binary,
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--no-proxy-server",
                f"--user-data-dir={folder}",
                "--window-size=1280,900",
            ],
        }
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        session = ask(f"{address}/session", {"capabilities": wanted})["sessionId"]
        try:
            yield Browser(address, session)
        finally:
            ask(f"{address}/session/{session}", None, "DELETE")
    finally:
        driver.terminate()
        driver.wait(20)
        if driver.stdout:
            driver.stdout.close()


def _address(driver: subprocess.Popen[str]) -> str:
    """Where the driver listens, which it says when it is ready."""
    assert driver.stdout
    for line in driver.stdout:
        if "started successfully on port" in line:
            port = int(line.strip().removesuffix(".").rpartition(" ")[2])
            return f"http://127.0.0.1:{port}"
    raise AssertionError("the driver has not started")
