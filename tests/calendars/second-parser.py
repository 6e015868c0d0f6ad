"""Reads the calendars that `npm test -- tests/calendars` leaves in output/calendars with another parser than the tests.

    python3 -m venv .venv && .venv/bin/pip install icalendar && .venv/bin/python tests/calendars/second-parser.py

Fails for a file that it cannot read, that it would write otherwise, or that breaks a rule of RFC 5545 or 5546 named below.
"""

import pathlib
import sys
from datetime import timezone

from icalendar import Calendar

folder = pathlib.Path(__file__).parents[2] / "output" / "calendars"
faults: list[str] = []
count = {"files": 0, "events": 0, "overrides": 0, "rules": 0, "cancellations": 0}

for path in sorted(folder.glob("*.ics")):
    data = path.read_bytes()
    say = lambda fault: faults.append(f"{path.name}: {fault}")
    if any(len(line) > 75 for line in data.split(b"\r\n")):
        say("a line of more than 75 octets")
    if b"\n" in data.replace(b"\r\n", b""):
        say("a bare line feed")
    calendar = Calendar.from_ical(data)
    count["files"] += 1
    for component in calendar.walk():
        for error in component.errors:
            say(f"{component.name} {error}")
    if Calendar.from_ical(calendar.to_ical()) != calendar:
        say("is read otherwise after it was written again")
    events = calendar.walk("VEVENT")
    zones = {str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")}
    if len({str(event["UID"]) for event in events}) != 1:
        say("more than one UID in a mail (RFC 5546, 3.2)")
    if sum("RECURRENCE-ID" not in event for event in events) > 1:
        say("two masters")
    for event in events:
        count["events"] += 1
        count["overrides"] += "RECURRENCE-ID" in event
        count["rules"] += "RRULE" in event
        count["cancellations"] += str(calendar["METHOD"]) == "CANCEL"
        if event["DTSTAMP"].dt.tzinfo != timezone.utc and event["DTSTAMP"].dt.utcoffset().total_seconds() != 0:
            say("DTSTAMP is not in UTC (3.8.7.2)")
        if event["DTEND"].dt <= event["DTSTART"].dt:
            say("ends before it starts")
        if str(calendar["METHOD"]) == "REQUEST" and "ATTENDEE" not in event:
            say("an invitation of nobody (RFC 5546, 3.2.2)")
        for name in ("DTSTART", "DTEND", "RECURRENCE-ID"):
            zone = event[name].params.get("TZID") if name in event else None
            if zone is not None and zone not in zones:
                say(f"{name} in {zone}, which is not described (3.2.19)")
        if "RRULE" in event and "UNTIL" in event["RRULE"]:
            (until,) = event["RRULE"]["UNTIL"]
            if until.utcoffset() is None or until.utcoffset().total_seconds() != 0:
                say("UNTIL is not in UTC (3.3.10)")

print(", ".join(f"{number} {name}" for name, number in count.items()))
for fault in faults[:40]:
    print(fault)
if count["files"] == 0:
    print("no files: run the tests first")
sys.exit(1 if faults or count["files"] == 0 else 0)
