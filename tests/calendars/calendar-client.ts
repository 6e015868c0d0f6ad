import ICAL from 'ical.js';
import { asUtc, ZoneClock } from './zone-clock.ts';

/** A meeting as a calendar shows it. `answers` maps the lower-case address of every attendee to a PARTSTAT. */
export type Shown = {
  uid: string;
  /** The original start by the recurrence rule; for a single meeting its start. */
  originalStart: number;
  start: string;
  end: string;
  title: string;
  own: string;
  answers: Record<string, string>;
};

type Revision = { sequence: number; stamp: string };
type Entry = Revision & { event: ICAL.Component; zone: ZoneClock | null; own: string };
type StoredMeeting = {
  master: Entry | null;
  /** By original start. */
  single: Map<number, Entry>;
  /** Individually cancelled occurrences, with the revision of the cancellation. */
  cancelled: Map<number, Revision>;
  /** What the user responded in the app since the entry arrived, by original start. */
  answered: Map<number, string>;
};

/** How many occurrences of an endless rule are expanded. */
const MAX_OCCURRENCES = 1_500;

/**
 * One user's calendar program, which processes every email as RFC 5546 prescribes: older revisions are ignored, a whole series replaces
 * everything known of it, and a single occurrence replaces only that occurrence. Independent of Atrium's code except for the iCalendar
 * parser.
 */
export class CalendarClient {
  readonly #meetings = new Map<string, StoredMeeting>();
  /** The revision at which a meeting was cancelled as a whole; older invitations are ignored. */
  readonly #cancellations = new Map<string, Revision>();
  readonly #address: string;

  constructor(address: string) {
    this.#address = address.toLowerCase();
  }

  /** Processes the calendar of an email. Returns the meetings in it. */
  take(text: string): { uid: string; originalStart: number | null }[] {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const method = calendar.getFirstPropertyValue('method');
    const entries = this.#entriesOf(calendar);
    for (const { entry } of entries) this.#assertInvited(entry);
    // A series has to be processed before its occurrences.
    const ordered = entries.toSorted((a, b) => Number(a.originalStart !== null) - Number(b.originalStart !== null));
    for (const { uid, originalStart, entry } of ordered) {
      if (method === 'REQUEST') this.#request(uid, originalStart, entry);
      else if (method === 'CANCEL') this.#cancel(uid, originalStart, entry);
      else throw new Error(`an email with the method ${method}`);
    }
    return method === 'REQUEST' ? entries.map(({ uid, originalStart }) => ({ uid, originalStart })) : [];
  }

  /** Replaces everything with a subscribed feed; with `isOwner`, the user need not be an attendee. */
  subscribe(text: string, { isOwner }: { isOwner: boolean }): void {
    const calendar = new ICAL.Component(ICAL.parse(text));
    if (calendar.getFirstPropertyValue('method') !== null) throw new Error('a feed with a method');
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
  answer(uid: string, originalStarts: readonly number[], status: string): void {
    for (const originalStart of originalStarts) this.#meetings.get(uid)?.answered.set(originalStart, status);
  }

  /** All meetings that begin before that time. */
  show(before: Date): Shown[] {
    return [...this.#meetings].flatMap(([uid, stored]) => this.#showOne(uid, stored, before));
  }

  #entriesOf(calendar: ICAL.Component) {
    const zones = new Map(
      calendar.getAllSubcomponents('vtimezone').map((one) => {
        return [String(one.getFirstPropertyValue('tzid')), new ZoneClock(one)];
      }),
    );
    return calendar.getAllSubcomponents('vevent').map((event) => this.#read(event, zones));
  }

  #read(event: ICAL.Component, zones: ReadonlyMap<string, ZoneClock>) {
    const zoneName = event.getFirstProperty('dtstart')?.getFirstParameter('tzid');
    const named = event.getFirstProperty('recurrence-id');
    const zone = zones.get(zoneName ?? named?.getFirstParameter('tzid') ?? '') ?? null;
    const entry: Entry = {
      sequence: Number(event.getFirstPropertyValue('sequence')),
      stamp: utcTimeOf(event, 'dtstamp', null),
      event,
      zone,
      own: '',
    };
    entry.own = partstatsOf(entry)[this.#address] ?? '';
    const originalStart = named ? Date.parse(utcTimeOf(event, 'recurrence-id', zone)) : null;
    return { uid: String(event.getFirstPropertyValue('uid')), originalStart, entry };
  }

  #assertInvited({ own }: Entry): void {
    if (own === '') throw new Error(`${this.#address} received a meeting without being an attendee`);
  }

  #request(uid: string, originalStart: number | null, entry: Entry): void {
    const cancellation = this.#cancellations.get(uid);
    if (cancellation && isOlder(entry, cancellation)) return;
    const stored = this.#meetings.get(uid) ?? emptyMeeting();
    if (originalStart === null) {
      if (stored.master && isOlder(entry, stored.master)) return;
      assertSequenceIncreased(entry, stored.master);
      this.#meetings.set(uid, { ...emptyMeeting(), master: entry, ...newerThan(entry, stored) });
      return;
    }
    if (isLate(entry, stored, originalStart)) return;
    assertSequenceIncreased(entry, stored.single.get(originalStart) ?? null);
    stored.single.set(originalStart, entry);
    stored.cancelled.delete(originalStart);
    stored.answered.delete(originalStart);
    this.#meetings.set(uid, stored);
  }

  #cancel(uid: string, originalStart: number | null, entry: Entry): void {
    const stored = this.#meetings.get(uid) ?? emptyMeeting();
    if (originalStart === null) {
      if (stored.master && isOlder(entry, stored.master)) return;
      // A late, older cancellation has no effect on newer revisions.
      const cancellation = this.#cancellations.get(uid);
      if (cancellation && isOlder(entry, cancellation)) return;
      this.#meetings.set(uid, { ...emptyMeeting(), ...newerThan(entry, stored) });
      this.#cancellations.set(uid, entry);
      return;
    }
    if (isLate(entry, stored, originalStart)) return;
    stored.single.delete(originalStart);
    stored.cancelled.set(originalStart, entry);
    this.#meetings.set(uid, stored);
  }

  #showOne(uid: string, stored: StoredMeeting, before: Date): Shown[] {
    const shown: Shown[] = [];
    const add = (originalStart: number, start: string, end: string, entry: Entry) => {
      if (Date.parse(start) >= before.getTime()) return;
      const own = stored.answered.get(originalStart) ?? entry.own;
      const title = String(entry.event.getFirstPropertyValue('summary'));
      shown.push({
        uid,
        originalStart,
        start,
        end,
        title,
        own,
        answers: { ...partstatsOf(entry), [this.#address]: own },
      });
    };
    if (stored.master) {
      const length = lengthOf(stored.master);
      for (const originalStart of originalStartsOf(stored.master, before)) {
        if (stored.cancelled.has(originalStart) || stored.single.has(originalStart)) continue;
        add(
          originalStart,
          new Date(originalStart).toISOString(),
          new Date(originalStart + length).toISOString(),
          stored.master,
        );
      }
    }
    for (const [originalStart, entry] of stored.single) {
      const [start, end] = (['dtstart', 'dtend'] as const).map((name) => utcTimeOf(entry.event, name, entry.zone));
      if (start && end) add(originalStart, start, end, entry);
    }
    return shown;
  }
}

const emptyMeeting = (): StoredMeeting => ({
  master: null,
  single: new Map(),
  cancelled: new Map(),
  answered: new Map(),
});

/** RFC 5546, section 2.1.5. */
const isOlder = (one: Revision, known: Revision) =>
  one.sequence < known.sequence || (one.sequence === known.sequence && one.stamp < known.stamp);

/** The known revision of an occurrence is its own or that of its series. */
const isLate = (entry: Entry, { master, single, cancelled }: StoredMeeting, originalStart: number) =>
  [single.get(originalStart), cancelled.get(originalStart), master].some(
    (known) => known != null && isOlder(entry, known),
  );

/** Newer single occurrences survive an older revision of the series. */
function newerThan(entry: Entry, { single, cancelled }: StoredMeeting): Pick<StoredMeeting, 'single' | 'cancelled'> {
  return {
    single: new Map([...single].filter(([, one]) => isOlder(entry, one))),
    cancelled: new Map([...cancelled].filter(([, one]) => isOlder(entry, one))),
  };
}

const OF_TIME = ['dtstart', 'dtend', 'duration', 'rrule'] as const;

/** A changed time or rule requires a higher SEQUENCE (RFC 5546, section 2.1.4), which calendar programs rely on. */
function assertSequenceIncreased(entry: Entry, known: Entry | null): void {
  if (!known || entry.sequence > known.sequence) return;
  const isOther = (name: string) =>
    String(entry.event.getFirstPropertyValue(name)) !== String(known.event.getFirstPropertyValue(name));
  if (OF_TIME.some(isOther))
    throw new Error(`changed time at revision ${entry.sequence}, which is known with another time`);
}

function partstatsOf({ event }: Entry): Record<string, string> {
  return Object.fromEntries(
    event.getAllProperties('attendee').map((one) => [
      String(one.getFirstValue())
        .replace(/^mailto:/i, '')
        .toLowerCase(),
      one.getFirstParameter('partstat'),
    ]),
  );
}

/** ISO 8601 in UTC; local times are converted with the email's own VTIMEZONE. */
function utcTimeOf(event: ICAL.Component, name: string, zone: ZoneClock | null): string {
  const property = event.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) throw new Error(`an event without ${name}`);
  return new Date(millisecondsOf(value, property.getFirstParameter('tzid') ? zone : null)).toISOString();
}

const millisecondsOf = (clock: ICAL.Time, zone: ZoneClock | null): number =>
  zone ? (zone.momentOf(clock) ?? Number.NaN) : asUtc(clock);

function lengthOf({ event, zone }: Entry): number {
  const duration = event.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) return duration.toSeconds() * 1_000;
  return Date.parse(utcTimeOf(event, 'dtend', zone)) - Date.parse(utcTimeOf(event, 'dtstart', zone));
}

/** The original starts of a series, without those that a clock change skips (RFC 5545, section 3.3.10) and those in EXDATE. */
function originalStartsOf({ event, zone }: Entry, before: Date): number[] {
  const property = event.getFirstProperty('dtstart');
  const start = property?.getFirstValue();
  if (!property || !(start instanceof ICAL.Time)) throw new Error('an event without a start');
  const own = property.getFirstParameter('tzid') ? zone : null;
  const rule = event.getFirstPropertyValue('rrule');
  if (!(rule instanceof ICAL.Recur)) return [millisecondsOf(start, own)];
  const until = rule.until ? millisecondsOf(rule.until, null) : Number.POSITIVE_INFINITY;
  const clock = ICAL.Time.fromDateTimeString(start.toString().replace('Z', ''));
  const excluded = new Set(
    event.getAllProperties('exdate').flatMap((one) => one.getValues().map((value: ICAL.Time) => value.toString())),
  );
  const endless = rule.clone();
  endless.until = null;
  const iterator = endless.iterator(clock);
  const originalStarts: number[] = [];
  for (let count = 0; count < MAX_OCCURRENCES; count += 1) {
    const next = iterator.next();
    if (!next) break;
    const at = millisecondsOf(next, own);
    if (Number.isNaN(at)) continue;
    if (at > until || at >= before.getTime() + 90 * 86_400_000) break;
    if (!excluded.has(own ? next.toString() : `${next.toString()}Z`) && !excluded.has(next.toString()))
      originalStarts.push(at);
  }
  return originalStarts;
}
