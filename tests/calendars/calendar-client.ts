import ICAL from 'ical.js';
import { asUtc, ZoneClock } from './zone-clock.ts';

/** A meeting as a calendar shows it. */
export type ShownMeeting = {
  uid: string;
  /** The start according to the recurrence rule; for a single meeting, its start. */
  originalStart: number;
  start: string;
  end: string;
  title: string;
  /** The PARTSTAT of the calendar's user; empty if the user is not an attendee. */
  ownStatus: string;
  /** The PARTSTAT of every attendee by lower-case address. */
  statuses: Record<string, string>;
};

type Revision = { sequence: number; stamp: string };
type Entry = Revision & { event: ICAL.Component; zone: ZoneClock | null; ownStatus: string };
type StoredMeeting = {
  master: Entry | null;
  /** Single occurrences by original start. */
  single: Map<number, Entry>;
  /** The revisions of individual cancellations, by original start of the occurrence. */
  cancellations: Map<number, Revision>;
  /** The user's RSVPs in the app since the entry arrived, by original start. */
  appRsvps: Map<number, string>;
};

/** The maximum number of occurrences of an expanded rule. */
const MAX_OCCURRENCES = 1_500;

/**
 * Simulates the calendar program of a user, which processes every email as RFC 5546 prescribes: it ignores older
 * revisions, a whole series replaces everything stored for it, and a single occurrence replaces only that occurrence.
 * Shares no code with Atrium except for the iCalendar parser.
 */
export class CalendarClient {
  readonly #meetings = new Map<string, StoredMeeting>();
  /** The revisions at which whole meetings were canceled. Older invitations are ignored. */
  readonly #cancellations = new Map<string, Revision>();
  readonly #address: string;

  constructor(address: string) {
    this.#address = address.toLowerCase();
  }

  /** Processes the calendar of an email, and returns the meetings that it invites to. */
  receive(text: string): { uid: string; originalStart: number | null }[] {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const method = calendar.getFirstPropertyValue('method');
    const entries = this.#entriesOf(calendar);
    for (const { entry } of entries) this.#assertInvited(entry);
    // Series are processed before their occurrences.
    const ordered = entries.toSorted((a, b) => Number(a.originalStart !== null) - Number(b.originalStart !== null));
    for (const { uid, originalStart, entry } of ordered) {
      if (method === 'REQUEST') this.#request(uid, originalStart, entry);
      else if (method === 'CANCEL') this.#cancel(uid, originalStart, entry);
      else throw new Error(`Unexpected method of an email: ${method}`);
    }
    return method === 'REQUEST' ? entries.map(({ uid, originalStart }) => ({ uid, originalStart })) : [];
  }

  /** Replaces everything with a subscribed feed. With `isOwner`, the user need not be an attendee. */
  subscribe(text: string, { isOwner }: { isOwner: boolean }): void {
    const calendar = new ICAL.Component(ICAL.parse(text));
    if (calendar.getFirstPropertyValue('method') !== null) throw new Error('Unexpected method of a feed');
    this.#meetings.clear();
    this.#cancellations.clear();
    for (const { uid, originalStart, entry } of this.#entriesOf(calendar)) {
      if (!isOwner) this.#assertInvited(entry);
      const stored = this.#meetings.get(uid) ?? emptyMeeting();
      if (originalStart === null ? stored.master !== null : stored.single.has(originalStart))
        throw new Error(`${uid} is in a feed twice`);
      if (originalStart === null) this.#meetings.set(uid, { ...stored, master: entry });
      else this.#meetings.set(uid, { ...stored, single: stored.single.set(originalStart, entry) });
    }
  }

  /** Records an RSVP that the user gave in the app. */
  recordAppRsvp(uid: string, originalStarts: readonly number[], status: string): void {
    for (const originalStart of originalStarts) this.#meetings.get(uid)?.appRsvps.set(originalStart, status);
  }

  /** Lists all meetings that begin before that time. */
  listMeetings(before: Date): ShownMeeting[] {
    return [...this.#meetings].flatMap(([uid, stored]) => this.#listEvents(uid, stored, before));
  }

  #entriesOf(calendar: ICAL.Component) {
    const zones = new Map(
      calendar.getAllSubcomponents('vtimezone').map((zone) => {
        return [String(zone.getFirstPropertyValue('tzid')), new ZoneClock(zone)];
      }),
    );
    return calendar.getAllSubcomponents('vevent').map((event) => this.#read(event, zones));
  }

  #read(event: ICAL.Component, zones: ReadonlyMap<string, ZoneClock>) {
    const zoneName = event.getFirstProperty('dtstart')?.getFirstParameter('tzid');
    const recurrenceId = event.getFirstProperty('recurrence-id');
    const zone = zones.get(zoneName ?? recurrenceId?.getFirstParameter('tzid') ?? '') ?? null;
    const entry: Entry = {
      sequence: Number(event.getFirstPropertyValue('sequence')),
      stamp: readUtcTime(event, 'dtstamp', null),
      event,
      zone,
      ownStatus: '',
    };
    entry.ownStatus = getStatuses(entry)[this.#address] ?? '';
    const originalStart = recurrenceId ? Date.parse(readUtcTime(event, 'recurrence-id', zone)) : null;
    return { uid: String(event.getFirstPropertyValue('uid')), originalStart, entry };
  }

  #assertInvited({ ownStatus }: Entry): void {
    if (ownStatus === '') throw new Error(`${this.#address} received a meeting without being an attendee`);
  }

  #request(uid: string, originalStart: number | null, entry: Entry): void {
    const cancellation = this.#cancellations.get(uid);
    if (cancellation && isOlder(entry, cancellation)) return;
    const stored = this.#meetings.get(uid) ?? emptyMeeting();
    if (originalStart === null) {
      if (stored.master && isOlder(entry, stored.master)) return;
      assertSequenceIncreased(entry, stored.master);
      this.#meetings.set(uid, { ...emptyMeeting(), master: entry, ...filterNewer(entry, stored) });
      return;
    }
    if (isLate(entry, stored, originalStart)) return;
    assertSequenceIncreased(entry, stored.single.get(originalStart) ?? null);
    stored.single.set(originalStart, entry);
    stored.cancellations.delete(originalStart);
    stored.appRsvps.delete(originalStart);
    this.#meetings.set(uid, stored);
  }

  #cancel(uid: string, originalStart: number | null, entry: Entry): void {
    const stored = this.#meetings.get(uid) ?? emptyMeeting();
    if (originalStart === null) {
      if (stored.master && isOlder(entry, stored.master)) return;
      // A late, older cancellation has no effect on newer revisions.
      const cancellation = this.#cancellations.get(uid);
      if (cancellation && isOlder(entry, cancellation)) return;
      this.#meetings.set(uid, { ...emptyMeeting(), ...filterNewer(entry, stored) });
      this.#cancellations.set(uid, entry);
      return;
    }
    if (isLate(entry, stored, originalStart)) return;
    stored.single.delete(originalStart);
    stored.cancellations.set(originalStart, entry);
    this.#meetings.set(uid, stored);
  }

  #listEvents(uid: string, stored: StoredMeeting, before: Date): ShownMeeting[] {
    const meetings: ShownMeeting[] = [];
    const add = (originalStart: number, start: string, end: string, entry: Entry) => {
      if (Date.parse(start) >= before.getTime()) return;
      const ownStatus = stored.appRsvps.get(originalStart) ?? entry.ownStatus;
      const title = String(entry.event.getFirstPropertyValue('summary'));
      meetings.push({
        uid,
        originalStart,
        start,
        end,
        title,
        ownStatus,
        statuses: { ...getStatuses(entry), [this.#address]: ownStatus },
      });
    };
    if (stored.master) {
      const durationMs = getDuration(stored.master);
      for (const originalStart of listOriginalStarts(stored.master, before)) {
        if (stored.cancellations.has(originalStart) || stored.single.has(originalStart)) continue;
        add(
          originalStart,
          new Date(originalStart).toISOString(),
          new Date(originalStart + durationMs).toISOString(),
          stored.master,
        );
      }
    }
    for (const [originalStart, entry] of stored.single) {
      const start = readUtcTime(entry.event, 'dtstart', entry.zone);
      const end = readUtcTime(entry.event, 'dtend', entry.zone);
      add(originalStart, start, end, entry);
    }
    return meetings;
  }
}

const emptyMeeting = (): StoredMeeting => ({
  master: null,
  single: new Map(),
  cancellations: new Map(),
  appRsvps: new Map(),
});

/** Compares revisions as RFC 5546, section 2.1.5, prescribes. */
const isOlder = (a: Revision, b: Revision) =>
  a.sequence < b.sequence || (a.sequence === b.sequence && a.stamp < b.stamp);

/** Whether an entry is older than the stored revision of its occurrence or of the series. */
const isLate = (entry: Entry, { master, single, cancellations }: StoredMeeting, originalStart: number) =>
  [single.get(originalStart), cancellations.get(originalStart), master].some(
    (stored) => stored != null && isOlder(entry, stored),
  );

/**
 * Returns the single occurrences and cancellations that are newer than a revision of the series, which does not replace
 * them.
 */
function filterNewer(
  entry: Entry,
  { single, cancellations }: StoredMeeting,
): Pick<StoredMeeting, 'single' | 'cancellations'> {
  return {
    single: new Map([...single].filter(([, revision]) => isOlder(entry, revision))),
    cancellations: new Map([...cancellations].filter(([, revision]) => isOlder(entry, revision))),
  };
}

const TIME_PROPERTIES = ['dtstart', 'dtend', 'duration', 'rrule'] as const;

/** A changed time or rule requires a higher SEQUENCE (RFC 5546, section 2.1.4), which calendar programs rely on. */
function assertSequenceIncreased(entry: Entry, stored: Entry | null): void {
  if (!stored || entry.sequence > stored.sequence) return;
  const isDifferent = (name: string) =>
    String(entry.event.getFirstPropertyValue(name)) !== String(stored.event.getFirstPropertyValue(name));
  if (TIME_PROPERTIES.some(isDifferent)) throw new Error(`The time changed without a new revision: ${entry.sequence}`);
}

function getStatuses({ event }: Entry): Record<string, string> {
  return Object.fromEntries(
    event.getAllProperties('attendee').map((attendee) => [
      String(attendee.getFirstValue())
        .replace(/^mailto:/i, '')
        .toLowerCase(),
      attendee.getFirstParameter('partstat'),
    ]),
  );
}

/** Returns a time in ISO 8601 and UTC. Local times are converted with the VTIMEZONE of the same email. */
function readUtcTime(event: ICAL.Component, name: string, zone: ZoneClock | null): string {
  const property = event.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) throw new Error(`Event has no ${name}`);
  return new Date(toMs(value, property.getFirstParameter('tzid') ? zone : null)).toISOString();
}

const toMs = (time: ICAL.Time, zone: ZoneClock | null): number =>
  zone ? (zone.toTimestamp(time) ?? Number.NaN) : asUtc(time);

function getDuration({ event, zone }: Entry): number {
  const duration = event.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) return duration.toSeconds() * 1_000;
  return Date.parse(readUtcTime(event, 'dtend', zone)) - Date.parse(readUtcTime(event, 'dtstart', zone));
}

/**
 * Lists the original starts of a series, without those that a clock change skips (RFC 5545, section 3.3.10) and those
 * in EXDATE.
 */
function listOriginalStarts({ event, zone }: Entry, before: Date): number[] {
  const property = event.getFirstProperty('dtstart');
  const start = property?.getFirstValue();
  if (!property || !(start instanceof ICAL.Time)) throw new Error('Event has no start');
  const startZone = property.getFirstParameter('tzid') ? zone : null;
  const rule = event.getFirstPropertyValue('rrule');
  if (!(rule instanceof ICAL.Recur)) return [toMs(start, startZone)];
  const until = rule.until ? toMs(rule.until, null) : Number.POSITIVE_INFINITY;
  const localStart = ICAL.Time.fromDateTimeString(start.toString().replace('Z', ''));
  const excluded = new Set(
    event
      .getAllProperties('exdate')
      .flatMap((exdate) => exdate.getValues().map((value: ICAL.Time) => value.toString())),
  );
  const endlessRule = rule.clone();
  endlessRule.until = null;
  const iterator = endlessRule.iterator(localStart);
  const originalStarts: number[] = [];
  for (let count = 0; count < MAX_OCCURRENCES; count += 1) {
    const next = iterator.next();
    if (!next) break;
    const at = toMs(next, startZone);
    if (Number.isNaN(at)) continue;
    if (at > until || at >= before.getTime() + 90 * 86_400_000) break;
    if (!excluded.has(startZone ? next.toString() : `${next.toString()}Z`) && !excluded.has(next.toString()))
      originalStarts.push(at);
  }
  return originalStarts;
}
