"""Checks emails and feeds in output/calendars, which `npm test -- tests/calendars` writes, with the library icalendar.

The tests run this script (`reference-parser.ts`). To run it manually, install icalendar and run:
python3 tests/calendars/reference-parser.py

It fails for a file that it cannot parse, that changes when it is written again, or that breaks one of the rules of RFC
5545, 5546, and 7986 below.
"""

import pathlib
import sys
from datetime import timezone

from icalendar import Calendar

folder = pathlib.Path(__file__).parents[2] / "output" / "calendars"
errors: list[str] = []
count = {"files": 0, "feeds": 0, "events": 0, "overrides": 0, "rules": 0, "cancellations": 0}

for path in sorted(folder.rglob("*.ics")):
    data = path.read_bytes()
    report = lambda error: errors.append(f"{path.name}: {error}")
    if any(len(line) > 75 for line in data.split(b"\r\n")):
        report("a line of more than 75 octets")
    if b"\n" in data.replace(b"\r\n", b""):
        report("a bare line feed")
    calendar = Calendar.from_ical(data)
    count["files"] += 1
    for component in calendar.walk():
        for error in component.errors:
            report(f"{component.name} {error}")
    if Calendar.from_ical(calendar.to_ical()) != calendar:
        report("changes when it is written again")
    events = calendar.walk("VEVENT")
    zones = {str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")}
    is_feed = path.parent != folder
    method = str(calendar.get("METHOD"))
    uids = [str(event["UID"]) for event in events]
    masters = [str(event["UID"]) for event in events if "RECURRENCE-ID" not in event]
    if len(masters) != len(set(masters)):
        report("two masters")
    if is_feed:
        count["feeds"] += 1
        if "METHOD" in calendar:
            report("a feed with a method and attendees (RFC 5546, 3.2.1)")
        if str(calendar.get("X-WR-CALNAME")) != str(calendar.get("NAME")) or "REFRESH-INTERVAL" not in calendar:
            report("a feed without a name or refresh interval (RFC 7986, 5)")
        if len(calendar.subcomponents) == 0:
            report("an empty calendar (3.6)")
    elif len(set(uids)) != 1:
        report("more than one UID in an email (RFC 5546, 3.2)")
    for event in events:
        count["events"] += 1
        count["overrides"] += "RECURRENCE-ID" in event
        count["rules"] += "RRULE" in event
        count["cancellations"] += method == "CANCEL"
        if event["DTSTAMP"].dt.tzinfo != timezone.utc and event["DTSTAMP"].dt.utcoffset().total_seconds() != 0:
            report("DTSTAMP is not in UTC (3.8.7.2)")
        if event["DURATION"].dt.total_seconds() <= 0 if "DURATION" in event else event["DTEND"].dt <= event["DTSTART"].dt:
            report("ends before it starts")
        if method == "REQUEST" and "ATTENDEE" not in event:
            report("an invitation without attendees (RFC 5546, 3.2.2)")
        for name in ("DTSTART", "DTEND", "RECURRENCE-ID"):
            zone = event[name].params.get("TZID") if name in event else None
            if zone is not None and zone not in zones:
                report(f"{name} in {zone}, which has no VTIMEZONE (3.2.19)")
        if "RRULE" in event and "UNTIL" in event["RRULE"]:
            (until,) = event["RRULE"]["UNTIL"]
            if until.utcoffset() is None or until.utcoffset().total_seconds() != 0:
                report("UNTIL is not in UTC (3.3.10)")

print(", ".join(f"{number} {name}" for name, number in count.items()))
for error in errors[:40]:
    print(error)
if count["feeds"] in (0, count["files"]):
    print("No emails or no feeds found. Run the tests first.")
    errors.append("nothing to check")
sys.exit(1 if errors else 0)
