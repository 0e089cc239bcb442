"""A desk with a screen that nobody sees, Firefox on it, and Orca, which reads it: keys go in, sentences come out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.engines.driving import screen
from tests.engines.packages import firefox

PATIENCE = 120
"""Seconds after which a program that has not started is given up."""
QUIET = 0.8
"""Seconds without a word after which a step has been spoken to its end."""
READY = "Screen reader on"
"""With these words Orca begins."""
LOADING = "Loading"
LOADED = "Finished loading"
"""With these words Orca says that a page is on its way, and that it is there."""
FIRST = 2.5
"""Seconds in which the first word of a step comes, or none."""
LONGEST = 12
"""Seconds after which a step is over although Orca still speaks."""
SPOKEN = re.compile(
    r"SPEECH OUTPUT: '((?:(?!\n\d\d:\d\d:\d\d\.).)*?)'(?: voice=\w+)?(?:\{[^\n]*)?\n(?=\d\d:\d\d:\d\d\.|[v^\n]|$)",
    re.DOTALL,
)
"""What Orca would hand to a synthesizer, in its debug file. The names of the keys, which it echoes, end otherwise."""
AT_ONCE = "from orca import debug\ndebug.debugFile.reconfigure(line_buffering=True)\n"
"""Has Orca write each line of that file at once."""
SETTINGS = {
    "accessibility.force_disabled": -1,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.tabs.firefox-view": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "toolkit.telemetry.enabled": False,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#",
    "signon.rememberSignons": False,
    "browser.formfill.enable": False,
}
"""Firefox as it is once all its own questions are answered: what it asks by itself, Orca reads too."""


class Desk:
    """Firefox before Orca: press keys, and hear what is said."""

    def __init__(self, spoken: Path, environment: dict[str, str]) -> None:
        self._spoken, self._environment, self._heard = spoken, environment, 0

    def press(self, *keys: str) -> list[str]:
        """Press these keys one after the other, as xdotool names them; return what is spoken."""
        for key in keys:
            self._run("xdotool", "key", "--clearmodifiers", key)
        said = self.listen()
        if any(one.startswith(LOADING) for one in said) and not any(one.startswith(LOADED) for one in said):
            said += self.hear(LOADED)
        return said

    def write(self, text: str) -> list[str]:
        """Type a text; return what is spoken."""
        self._run("xdotool", "type", "--delay", "60", text)
        return self.listen()

    def listen(self, first: float = FIRST) -> list[str]:
        """Wait until Orca is quiet, for the first word up to ``first`` seconds; return what it has said meanwhile."""
        said: list[str] = []
        until = time.monotonic() + LONGEST
        quiet = time.monotonic() + first
        while time.monotonic() < min(until, quiet):
            time.sleep(0.05)
            if more := self._more():
                said += more
                quiet = time.monotonic() + QUIET
        return said

    def hear(self, words: str) -> list[str]:
        """Wait until something that begins with these words is said; return all that is said meanwhile."""
        said: list[str] = []
        until = time.monotonic() + PATIENCE
        while not any(one.startswith(words) for one in said):
            assert time.monotonic() < until, f"“{words}” was not heard: {said}"
            said += self.listen()
        return said

    def _more(self) -> list[str]:
        with self._spoken.open("rb") as file:
            file.seek(self._heard)
            told = file.read()
        whole = told[: told.rfind(b"\n") + 1]
        self._heard += len(whole)
        found = (" ".join(said.split()) for said in SPOKEN.findall(whole.decode("utf-8", "replace")))
        return [said for said in found if said]

    def _run(self, *command: str) -> None:
        subprocess.run(command, env=self._environment, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def desk(folder: Path, address: str, language: str) -> Iterator[Desk]:
    """Put the desk up with this page open; the session bus is that of ``dbus-run-session``."""
    profile = folder / "firefox"
    profile.mkdir()
    wishes = {**SETTINGS, "intl.accept_languages": language}
    (profile / "user.js").write_text(
        "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wishes.items())
    )
    own = folder / ".local/share/orca/orca-customizations.py"
    own.parent.mkdir(parents=True)
    own.write_text(AT_ONCE)
    spoken = folder / "spoken"
    spoken.touch()
    with screen() as display:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "GNOME_ACCESSIBILITY": "1",
            "GTK_MODULES": "gail:atk-bridge",
            "MOZ_DISABLE_AUTO_SAFE_MODE": "1",
            "LANG": "C.UTF-8",
            # Nobody listens: what is to be spoken is read from Orca's debug file, and no synthesizer is waited for.
            "SPEECHD_CMD": "/nowhere",
        }
        at = Desk(spoken, environment)
        size = ["--width", "480", "--height", "900"]
        running: list[subprocess.Popen[bytes]] = []
        with (folder / "programs.log").open("w") as log:

            def start(*command: str) -> None:
                running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))

            try:
                start("openbox")
                start("orca", f"--debug-file={spoken}")
                at.hear(READY)
                start(str(firefox()), "--no-remote", "--profile", str(profile), *size, address)
                at.hear(LOADED)
                yield at
            finally:
                for process in reversed(running):
                    _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program, by force where it does not end by itself."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
