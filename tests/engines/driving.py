"""Starts the engines: WebKitGTK through its WebDriver on a screen nobody sees, Firefox through its own Marionette."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from .packages import firefox, mini_browser

SCREEN = (1500, 1300)
"""The window of an engine: room for a page's frame of any size that is tried in it."""
PATIENCE = 60
"""Seconds after which an engine that has not started is given up."""
MARIONETTE = {
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.QUIT: "WebDriver:DeleteSession",
    Command.GET: "WebDriver:Navigate",
    Command.GO_BACK: "WebDriver:Back",
    Command.REFRESH: "WebDriver:Refresh",
    Command.GET_CURRENT_URL: "WebDriver:GetCurrentURL",
    Command.FIND_ELEMENT: "WebDriver:FindElement",
    Command.FIND_ELEMENTS: "WebDriver:FindElements",
    Command.CLICK_ELEMENT: "WebDriver:ElementClick",
    Command.CLEAR_ELEMENT: "WebDriver:ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "WebDriver:ElementSendKeys",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.SWITCH_TO_FRAME: "WebDriver:SwitchToFrame",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.SET_TIMEOUTS: "WebDriver:SetTimeouts",
}
"""What Marionette calls the commands that a thumb needs. No registry carries geckodriver, which does the same."""


class Marionette(RemoteConnection):
    """Speaks to Firefox itself: each message is its length, a colon and a list in JSON."""

    def __init__(self, port: int) -> None:
        super().__init__(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._said = 0
        self._hear()

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a command and return its answer, as a WebDriver over HTTP would give it."""
        self._said += 1
        told = {name: value for name, value in params.items() if name != "sessionId"}
        if command == Command.NEW_SESSION:
            told = {**told["capabilities"].get("alwaysMatch", {})}
        if "id" in told and command != Command.SWITCH_TO_FRAME:
            told["id"] = params["id"]
        message = json.dumps([0, self._said, MARIONETTE[command], told]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _kind, _number, error, result = self._hear()
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        if isinstance(result, dict) and set(result) == {"value"}:
            result = result["value"]
        return {"status": 0, "value": result}

    def close(self) -> None:
        """Hang up."""
        self._socket.close()
        super().close()

    def _hear(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._read(1)
        return json.loads(self._read(int(length[:-1])))

    def _read(self, number: int) -> bytes:
        got = b""
        while len(got) < number:
            more = self._socket.recv(number - len(got))
            assert more, "Firefox has hung up"
            got += more
        return got


@contextmanager
def screen() -> Iterator[str]:
    """Give a screen that nobody sees; yield its name."""
    reads, writes = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1] + 100}x24"
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writes), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=[writes],
        stderr=subprocess.DEVNULL,
    )
    os.close(writes)
    try:
        yield f":{os.read(reads, 20).decode().strip()}"
    finally:
        os.close(reads)
        process.terminate()
        process.wait(20)


@contextmanager
def webkit(folder: Path) -> Iterator[WebDriver]:
    """Start WebKitGTK's MiniBrowser with nothing from an earlier visit."""
    options = Options()
    options.binary_location = str(mini_browser())
    options.add_argument("--automation")
    with screen() as display:
        home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
        language = {"LANG": "en_US.UTF-8", "LANGUAGE": "en"}
        # What draws by a graphics card's way takes both cores where there is no such card.
        drawing = {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "GDK_BACKEND": "x11"}
        service = Service(env={**os.environ, **home, **language, **drawing, "DISPLAY": display})
        service.start()
        try:
            connection = RemoteConnection(client_config=ClientConfig(service.service_url))
            driver = WebDriver(command_executor=connection, options=options)
            try:
                driver.set_window_size(*SCREEN)
                yield driver
            finally:
                driver.quit()
        finally:
            service.stop()


@contextmanager
def gecko(folder: Path) -> Iterator[WebDriver]:
    """Start Firefox without a window and with nothing from an earlier visit."""
    settings = {
        "marionette.port": 0,
        "browser.shell.checkDefaultBrowser": False,
        "datareporting.policy.dataSubmissionEnabled": False,
        "toolkit.telemetry.enabled": False,
        "app.update.enabled": False,
        "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False,
        "services.settings.server": "data:,#",
        "intl.accept_languages": "en",
    }
    (folder / "user.js").write_text(
        "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items())
    )
    size = [f"--width={SCREEN[0]}", f"--height={SCREEN[1]}"]
    process = subprocess.Popen(
        [str(firefox()), "--headless", "--marionette", "--no-remote", "--profile", str(folder), *size],
        env={**os.environ, "HOME": str(folder), "MOZ_DISABLE_AUTO_SAFE_MODE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        connection = Marionette(_port(folder / "MarionetteActivePort", process))
        driver = WebDriver(command_executor=connection, options=_NoOptions())
        try:
            yield driver
        finally:
            driver.quit()
            connection.close()
    finally:
        process.terminate()
        process.wait(30)


class _NoOptions(Options):
    """No wishes: those of Firefox stand in its profile."""

    def to_capabilities(self) -> dict[str, Any]:
        return {}


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    """Wait until Firefox says on which port it listens."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, f"Firefox stopped with {process.returncode}"
        if file.exists() and file.read_text().strip():
            return int(file.read_text())
        time.sleep(0.05)
    raise AssertionError("Firefox did not start")


ENGINES: dict[str, Callable[[Path], Any]] = {"webkit": webkit, "firefox": gecko}
