"""Reads the calendars that `npm test -- tests/calendars` leaves in output/calendars, mails and feeds, with another parser than the tests.

The tests run it themselves (`reference-parser.ts`); by hand, with icalendar installed: python3 tests/calendars/reference-parser.py

Fails for a file that it cannot read, that it would write otherwise, or that breaks a rule of RFC 5545, 5546 or 7986 named below.
"""

import pathlib
import sys
from datetime import timezone

from icalendar import Calendar

folder = pathlib.Path(__file__).parents[2] / "output" / "calendars"
faults: list[str] = []
count = {"files": 0, "feeds": 0, "events": 0, "overrides": 0, "rules": 0, "cancellations": 0}

for path in sorted(folder.rglob("*.ics")):
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
    is_feed = path.parent != folder
    method = str(calendar.get("METHOD"))
    uids = [str(event["UID"]) for event in events]
    masters = [str(event["UID"]) for event in events if "RECURRENCE-ID" not in event]
    if len(masters) != len(set(masters)):
        say("two masters")
    if is_feed:
        count["feeds"] += 1
        if "METHOD" in calendar:
            say("a feed with a method, which may name nobody then (RFC 5546, 3.2.1)")
        if str(calendar.get("X-WR-CALNAME")) != str(calendar.get("NAME")) or "REFRESH-INTERVAL" not in calendar:
            say("a feed without its name or how often to ask (RFC 7986, 5)")
        if len(calendar.subcomponents) == 0:
            say("a calendar of nothing (3.6)")
    elif len(set(uids)) != 1:
        say("more than one UID in a mail (RFC 5546, 3.2)")
    for event in events:
        count["events"] += 1
        count["overrides"] += "RECURRENCE-ID" in event
        count["rules"] += "RRULE" in event
        count["cancellations"] += method == "CANCEL"
        if event["DTSTAMP"].dt.tzinfo != timezone.utc and event["DTSTAMP"].dt.utcoffset().total_seconds() != 0:
            say("DTSTAMP is not in UTC (3.8.7.2)")
        if event["DURATION"].dt.total_seconds() <= 0 if "DURATION" in event else event["DTEND"].dt <= event["DTSTART"].dt:
            say("ends before it starts")
        if method == "REQUEST" and "ATTENDEE" not in event:
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
if count["feeds"] in (0, count["files"]):
    print("no mails, or no feeds: run the tests first")
    faults.append("nothing to read")
sys.exit(1 if faults else 0)
