"""A browser without a screen, driven over a pipe: what it shows, asks for, and complains of."""

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--allow-file-access-from-files",
    "--remote-debugging-pipe",
)

AS_THREE_AND_FOUR = """
import fcntl, os, sys
reading, writing = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3])
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Becomes the browser, which reads from its file 3 and writes to its file 4."""

PATIENCE = 120
"""Seconds after which a browser that says nothing is taken to be stuck."""


def program() -> str | None:
    """Where Debian's Chromium is, or another one; None where there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """One page of the browser; `complaints` and `asked` are what its console and its network said so far."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._buffer = b""
        self._number = 0
        self._loaded = False
        self._session: str | None = None
        self.complaints: list[str] = []
        self.asked: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._send(f"{domain}.enable")

    def open(self, url: str) -> None:
        """Go to an address and wait until it has loaded."""
        self._loaded = False
        self._send("Page.navigate", url=url)
        while not self._loaded:
            self._hear()

    def value(self, expression: str) -> Any:
        """What a JavaScript expression comes to in the page."""
        answer = self._send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """What an expression comes to as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while not (found := self.value(expression)):
            assert time.monotonic() < end, f"it never became true: {expression}"
            time.sleep(0.05)
        return found

    def scheme(self, name: str) -> None:
        """Prefer a colour scheme, `light` or `dark`."""
        self._send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def width(self, pixels: int) -> None:
        """Be as wide as a screen of so many pixels."""
        self._send(
            "Emulation.setDeviceMetricsOverride", width=pixels, height=800, deviceScaleFactor=1, mobile=True
        )

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._number:
                assert "error" not in heard, heard["error"]
                result: dict[str, Any] = heard["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._reading], [], [], PATIENCE)
            assert ready, "the browser says nothing"
            part = os.read(self._reading, 1 << 16)
            assert part, "the browser has ended"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method: str | None, said: Mapping[str, Any]) -> None:
        match method:
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(said["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if said["type"] in ("error", "warning", "assert"):
                self.complaints.append(json.dumps(said["args"]))
            case "Log.entryAdded" if said["entry"]["level"] in ("error", "warning"):
                self.complaints.append(f"{said['entry']['text']} {said['entry'].get('url', '')}")
            case "Network.requestWillBeSent":
                self.asked.append(said["request"]["url"])


@contextmanager
def page(profile: Path) -> Iterator[Page]:
    """Yield a page of a browser that keeps its profile in a folder, and ends with it."""
    found = program()
    assert found is not None
    its_input, our_output = os.pipe()
    our_input, its_output = os.pipe()
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            AS_THREE_AND_FOUR,
            str(its_input),
            str(its_output),
            found,
            *FLAGS,
            f"--user-data-dir={profile}",
        ],
        pass_fds=(its_input, its_output),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(its_input)
    os.close(its_output)
    try:
        yield Page(our_input, our_output)
    finally:
        os.close(our_output)
        os.close(our_input)
        process.terminate()
        process.wait(PATIENCE)
