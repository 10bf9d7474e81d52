"""Stagedoor in pytest: a separate app for each test. Printed by `stagedoor helper pytest`, version VERSION.
conftest.py needs one line, pytest_plugins = "stagedoor_pytest", and a test is:
    def test_login(stagedoor):
        stagedoor.start("+12025550100")                # or your app requests a code, with stagedoor.app_id
        status, session = stagedoor.authenticate("+12025550100", stagedoor.code("+12025550100"))
It finds Stagedoor by STAGEDOOR_CONSOLE_URL, which `stagedoor exec -- pytest` sets, by stagedoor.config.json, or at port 4012.
"""
import json
import os
import re
from collections import namedtuple
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

import pytest

TOKEN = os.environ.get("STAGEDOOR_ACCESS_TOKEN") or os.environ.get("STAGEDOOR_JOIN_TOKEN")
OPEN = build_opener(ProxyHandler({})).open
CONFIG = "stagedoor.config.json"
#: `reason` and `request_id` are Stagedoor's: why it was rejected, and its row in the request log.
Answer = namedtuple("Answer", "status body reason request_id")

class StagedoorError(AssertionError):
    """Stagedoor rejected a call, and says why."""

def console():
    """That of the nearest stagedoor.config.json in the repository, or the default. Raises if the project's does not run."""
    above = [Path.cwd(), *Path.cwd().parents]
    last = next((n for n, at in enumerate(above) if at == Path.home() or (at / ".git").exists()), 0)
    file = next((at / CONFIG for at in above[: last + 1] if (at / CONFIG).exists()), None)
    text = re.sub(r'("(?:\\.|[^"\\])*")|//.*|/\*[\s\S]*?\*/', r"\1", file.read_text("utf-8") if file else "")
    options = dict(re.findall(r'"(data|consolePort)"\s*:\s*"?([^",}\n]+)', text))
    lock = file.parent / options["data"] / "lock.json" if "data" in options else None
    url = json.loads(lock.read_text()).get("consoleUrl") if lock and lock.exists() else None
    port = int(options.get("consolePort", 0 if lock else 4012))
    if not url and not port:
        raise StagedoorError(f"The Stagedoor of {file} is not running. Run `stagedoor start`, or `stagedoor exec -- pytest`.")
    return url or f"http://127.0.0.1:{port}"

def call(method, url, body=None, token=None):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    try:
        answer = OPEN(Request(url, data, headers, method=method), timeout=70)
    except HTTPError as refused:
        answer = refused
    except URLError as error:
        raise StagedoorError(f"{url}: {error.reason}. Run `stagedoor start`, or `stagedoor exec -- pytest`.") from None
    body = json.loads(answer.read().decode() or "null")
    return Answer(answer.status, body, answer.headers["Emulator-Reason"], answer.headers["Emulator-Request-Id"])

class Stagedoor:
    def __init__(self, app):
        self._console, self._token = os.environ.get("STAGEDOOR_CONSOLE_URL") or console(), TOKEN
        made = self._control("POST", "apps", {"ttlSeconds": 3600, **app})
        self.app_id, self.secret = made["appId"], made["secret"]
        self.admin_url, self.auth_url, self.people = made["adminUrl"], made["authUrl"], made["profiles"]
        self._token, self._own, self._asked = made.get("accessToken", TOKEN), made["appId"], {}
    def _control(self, method, path, body=None, **query):
        url = f"{self._console}/emulator/v1/{path}" + (f"?{urlencode(query)}" if query else "")
        answer = call(method, url, body, self._token)
        if answer.status < 400:
            return answer.body
        said = answer.body if isinstance(answer.body, dict) else {}
        raise StagedoorError(f"{method} {path}: {said.get('reason') or answer.reason}: {said.get('instruction') or said}")
    def _session(self, method, to, **more):
        user = {"email" if "@" in to else "phone": to}
        return call(method, f"{self.auth_url}/v1/users/session", {"appId": self.app_id, "user": user, **more})
    def start(self, to):
        """Requests a code: status 202; 200 for a new user, who signs up at once and gets none."""
        self.last = self._session("POST", to)
        self._asked[to] = self.last.request_id
        return self.last
    def code(self, to, wait="10s"):
        """The newest code of this user that was not read yet, whoever requested it. Raises with the reason if none comes."""
        asked = {"requestId": self._asked.pop(to)} if self._asked.get(to) else {}
        return self._control("GET", "passcodes/latest", appId=self.app_id, to=to, unread=1, wait=wait, **asked)["code"]
    def authenticate(self, to, code):
        """Enters a code. (status, body): the session with its token, or the error."""
        self.last = self._session("PUT", to, passcode=code)
        return self.last.status, self.last.body
    def sign_in(self, to):
        """The token of a session, without a code; creates the user if there is none."""
        return self._control("POST", "sessions", {"appId": self.app_id, "to": to, "create": True})["token"]
    def fault(self, match, effect, times=1):
        """Simulates a failure: fault({"method": "POST"}, {"status": 503}), fault({"to": to}, {"undelivered": True})."""
        return self._control("POST", "faults", {"match": {"appId": self.app_id, **match}, "effect": effect, "times": times})
    def advance(self, seconds):
        """Moves this app's clock, so that codes and sessions expire."""
        return self._control("POST", "clock/advance", {"seconds": seconds}, appId=self.app_id)
    def profile(self, to):
        """The profile with this phone or email; None if there is none."""
        found = self._control("GET", "profiles", appId=self.app_id, q=to)["items"]
        return next((one for one in found if to in (one["phone"], one["email"])), None)
    def settings(self, **settings):
        """Changes settings of this app: settings(limits={"otpPerMinute": 1})."""
        return self._control("PATCH", f"apps/{quote(self._own)}", {"settings": settings})
    def rejected(self):
        """The requests of this app that were rejected so far, a line each, with the first sentence on how to fix it."""
        return self._control("GET", "requests/failed", appId=self._own)["text"]

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report, made = (yield).get_result(), getattr(item, "funcargs", {}).get("stagedoor")
    if report.failed and report.when == "call" and isinstance(made, Stagedoor) and made.rejected():
        report.sections.append(("Requests that Stagedoor rejected", made.rejected()))

@pytest.fixture
def stagedoor_app():
    """What POST apps takes: a copy of the only app of `exec --fixtures`, or two users. Override it for other users or settings."""
    users = {"profiles": [{"name": "Ada Lovelace", "phone": "+12025550100"}, {"name": "Grace Hopper", "phone": "+12025550101"}]}
    return {"copyOf": os.environ["STAGEDOOR_COPIED_APP"]} if "STAGEDOOR_COPIED_APP" in os.environ else users

@pytest.fixture
def stagedoor(stagedoor_app):
    made = Stagedoor(stagedoor_app)
    yield made
    made._control("DELETE", f"apps/{quote(made._own)}")
