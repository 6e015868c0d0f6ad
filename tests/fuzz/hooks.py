"""Schemathesis hooks: authentication, and rejections that the OpenAPI document states outside its schemas."""

import atexit
import json
import os
from collections import Counter, defaultdict

import requests
import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

with open(os.environ["FUZZ_WORKSPACE_FILE"], encoding="utf-8") as file:
    WORKSPACE = json.load(file)


def sign_in(email, password, device=None):
    body = {"email": email, "password": password, **({"device": device} if device else {})}
    return requests.post(f"{WORKSPACE['url']}/api/auth/login", json=body, timeout=30)


def set_token(case, token):
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


@schemathesis.auth().skip_for(operation_id="auth.changePassword")
class Administrator:
    """
    Signs in again after a call has ended the session (401). It signs in as a known device, which failed sign-ins do
    not lock out.
    """

    device = None

    def get(self, case, context):
        response = sign_in(WORKSPACE["email"], WORKSPACE["password"], self.device)
        response.raise_for_status()
        session = response.json()
        self.device = session["device"]
        return session["accessToken"]

    def set(self, case, data, context):
        set_token(case, data)


@schemathesis.auth(refresh_interval=None).apply_to(operation_id="auth.changePassword")
class PasswordUser:
    """Each user can change the password only once, so each success uses up one user."""

    emails = WORKSPACE["passwordUsers"]

    def get(self, case, context):
        while self.emails:
            response = sign_in(self.emails[-1], WORKSPACE["password"])
            if response.ok:
                return response.json()["accessToken"]
            self.emails.pop()
        raise RuntimeError("No users left for password changes; raise USES_PER_CALL in seed-workspace.ts")

    def set(self, case, data, context):
        set_token(case, data)


def documented_response(case, response):
    """Returns the response that the document states for this status."""
    return case.operation.definition.raw["responses"].get(str(response.status_code), {})


def is_malformed_form(case):
    """
    Works around a bug in schemathesis: for unknown fields, it generates names with control characters and writes them
    into headers of form parts, which must not contain any (RFC 9110, section 5.5).
    """
    names = case.body if case.media_type == "multipart/form-data" and isinstance(case.body, dict) else ()
    return any(ord(character) < 32 for name in names for character in name)


def is_documented(case, response):
    """
    Returns whether the document states why a schema-valid request is rejected: a rule about two fields or existing data
    (`x-rules`), an invalid link token (a separate code), or more bytes than `x-max-bytes`.
    """
    documented = documented_response(case, response)
    if response.status_code == 413:
        return len(response.request.body or b"") > documented.get("x-max-bytes", float("inf"))
    if response.status_code != 400:
        return False
    body = response.json()
    if is_malformed_form(case) and body["message"] == ["The form could not be read"]:
        return True
    if body["code"] == "validation_failed":
        messages = body["message"] if isinstance(body["message"], list) else [body["message"]]
        return all(sentence in documented.get("x-rules", ()) for sentence in messages)
    return body["code"] in ("invalid_token", "token_expired") and body["code"] in documented["description"]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (isinstance(failure, RejectedPositiveData) and is_documented(case, response))


results = defaultdict(Counter)


@schemathesis.hook
def after_call(context, case, response):
    if response.request.method.lower() == case.operation.method.lower():
        results[case.operation.label][response.status_code] += 1


@atexit.register
def write_results():
    with open(os.environ["FUZZ_RESULTS_FILE"], "w", encoding="utf-8") as file:
        json.dump(results, file)
