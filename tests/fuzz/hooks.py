"""What schemathesis cannot know of Atrium: who calls, and which refusals the document states in words."""

import atexit
import json
import os
from collections import Counter, defaultdict

import requests
import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

with open(os.environ["FUZZ_WORKSPACE_FILE"], encoding="utf-8") as file:
    WORLD = json.load(file)


def sign_in(email, password, device=None):
    body = {"email": email, "password": password, **({"device": device} if device else {})}
    return requests.post(f"{WORLD['url']}/api/auth/login", json=body, timeout=30)


def bear(case, token):
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


@schemathesis.auth().skip_for(operation_id="auth.changePassword")
class Administrator:
    """Signs in again whenever a call has ended the session (401), as a known device: guesses at the account do not shut it out."""

    device = None

    def get(self, case, context):
        response = sign_in(WORLD["email"], WORLD["password"], self.device)
        response.raise_for_status()
        session = response.json()
        self.device = session["device"]
        return session["accessToken"]

    def set(self, case, data, context):
        bear(case, data)


@schemathesis.auth(refresh_interval=None).apply_to(operation_id="auth.changePassword")
class Leaver:
    """Whoever changes a password is of no further use, so that each success takes another person."""

    emails = WORLD["leavers"]

    def get(self, case, context):
        while self.emails:
            response = sign_in(self.emails[-1], WORLD["password"])
            if response.ok:
                return response.json()["accessToken"]
            self.emails.pop()
        raise RuntimeError("Nobody is left whose password could be changed; furnish the world with more people")

    def set(self, case, data, context):
        bear(case, data)


def refusal_of(case, response):
    """What the document says of an answer with this status."""
    return case.operation.definition.raw["responses"].get(str(response.status_code), {})


def is_no_form(case):
    """
    schemathesis is wrong here: it gives fields that are in no contract names with bare control characters, and writes them into headers
    of the form's parts, which may hold none (RFC 9110, 5.5).
    """
    names = case.body if case.media_type == "multipart/form-data" and isinstance(case.body, dict) else ()
    return any(ord(character) < 32 for name in names for character in name)


def is_stated(case, response):
    """
    Whether a refusal of what fits the schemas is one that the document states all the same: a rule about two fields or about what the
    workspace holds (`x-rules`), a link whose token is not good (a code of its own), more bytes than `x-max-bytes`.
    """
    stated = refusal_of(case, response)
    if response.status_code == 413:
        return len(response.request.body or b"") > stated.get("x-max-bytes", float("inf"))
    if response.status_code != 400:
        return False
    answer = response.json()
    if is_no_form(case) and answer["message"] == ["The form could not be read"]:
        return True
    if answer["code"] == "validation_failed":
        told = answer["message"] if isinstance(answer["message"], list) else [answer["message"]]
        return all(sentence in stated.get("x-rules", ()) for sentence in told)
    return answer["code"] in ("invalid_token", "token_expired") and answer["code"] in stated["description"]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (isinstance(failure, RejectedPositiveData) and is_stated(case, response))


tally = defaultdict(Counter)


@schemathesis.hook
def after_call(context, case, response):
    if response.request.method.lower() == case.operation.method.lower():
        tally[case.operation.label][response.status_code] += 1


@atexit.register
def write_tally():
    with open(os.environ["FUZZ_RESULTS_FILE"], "w", encoding="utf-8") as file:
        json.dump(tally, file)
