import ICAL from 'ical.js';
import { asUtc, ZoneClock } from './zone-clock.ts';

/** What a calendar shows of a meeting. `answers` are PARTSTATs by address, lower case, of everybody whom the entry names. */
export type Shown = {
  uid: string;
  /** Where the rule has it; of a meeting that stands alone its start. */
  place: number;
  start: string;
  end: string;
  title: string;
  own: string;
  answers: Record<string, string>;
};

type Revision = { sequence: number; stamp: string };
type Entry = Revision & { event: ICAL.Component; zone: ZoneClock | null; own: string };
type Kept = {
  master: Entry | null;
  /** By where the rule has them. */
  single: Map<number, Entry>;
  /** Occurrences that were cancelled alone, each with the revision at which it was. */
  cancelled: Map<number, Revision>;
  /** What the person answered in the application since the entry came, by place. */
  answered: Map<number, string>;
};

/** How far a rule without an end is followed. */
const MOST_TURNS = 1_500;

/**
 * A calendar program of one person, who takes every mail, as RFC 5546 has it: what is older than what is there is left alone, a whole
 * series takes the place of all that was known of it, a single occurrence that of this one alone. Nothing in here is of ours but the
 * library that reads the text.
 */
export class CalendarClient {
  readonly #kept = new Map<string, Kept>();
  /** At which revision something was cancelled as a whole: older invitations come too late. */
  readonly #gone = new Map<string, Revision>();
  readonly #address: string;

  constructor(address: string) {
    this.#address = address.toLowerCase();
  }

  /** Takes the calendar of a mail. Answers the meetings that it told of. */
  take(text: string): { uid: string; place: number | null }[] {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const method = calendar.getFirstPropertyValue('method');
    const entries = this.#entriesOf(calendar);
    for (const { entry } of entries) this.#mustNameMe(entry);
    // What a series is replaced by has to be there before its occurrences.
    const ordered = entries.toSorted((one, other) => Number(one.place !== null) - Number(other.place !== null));
    for (const { uid, place, entry } of ordered) {
      if (method === 'REQUEST') this.#request(uid, place, entry);
      else if (method === 'CANCEL') this.#cancel(uid, place, entry);
      else throw new Error(`a mail with the method ${method}`);
    }
    return method === 'REQUEST' ? entries.map(({ uid, place }) => ({ uid, place })) : [];
  }

  /** Takes what was subscribed to, which takes the place of everything; `isOwner` where the person need not be named as invited. */
  subscribe(text: string, { isOwner }: { isOwner: boolean }): void {
    const calendar = new ICAL.Component(ICAL.parse(text));
    if (calendar.getFirstPropertyValue('method') !== null) throw new Error('a feed with a method');
    this.#kept.clear();
    this.#gone.clear();
    for (const { uid, place, entry } of this.#entriesOf(calendar)) {
      if (!isOwner) this.#mustNameMe(entry);
      const kept = this.#kept.get(uid) ?? nothingKept();
      if (place === null ? kept.master !== null : kept.single.has(place)) throw new Error(`${uid} is in a feed twice`);
      if (place === null) this.#kept.set(uid, { ...kept, master: entry });
      else this.#kept.set(uid, { ...kept, single: kept.single.set(place, entry) });
    }
  }

  /** Notes what the person answered elsewhere. */
  answer(uid: string, places: readonly number[], status: string): void {
    for (const place of places) this.#kept.get(uid)?.answered.set(place, status);
  }

  /** Everything in the calendar that begins before a moment. */
  show(before: Date): Shown[] {
    return [...this.#kept].flatMap(([uid, kept]) => this.#showOne(uid, kept, before));
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
      stamp: momentOf(event, 'dtstamp', null),
      event,
      zone,
      own: '',
    };
    entry.own = partstatsOf(entry)[this.#address] ?? '';
    const place = named ? Date.parse(momentOf(event, 'recurrence-id', zone)) : null;
    return { uid: String(event.getFirstPropertyValue('uid')), place, entry };
  }

  #mustNameMe({ own }: Entry): void {
    if (own === '') throw new Error(`${this.#address} got what is not for them`);
  }

  #request(uid: string, place: number | null, entry: Entry): void {
    const gone = this.#gone.get(uid);
    if (gone && isOlder(entry, gone)) return;
    const kept = this.#kept.get(uid) ?? nothingKept();
    if (place === null) {
      if (kept.master && isOlder(entry, kept.master)) return;
      mustCountUp(entry, kept.master);
      this.#kept.set(uid, { ...nothingKept(), master: entry, ...newerThan(entry, kept) });
      return;
    }
    if (isLate(entry, kept, place)) return;
    mustCountUp(entry, kept.single.get(place) ?? null);
    kept.single.set(place, entry);
    kept.cancelled.delete(place);
    kept.answered.delete(place);
    this.#kept.set(uid, kept);
  }

  #cancel(uid: string, place: number | null, entry: Entry): void {
    const kept = this.#kept.get(uid) ?? nothingKept();
    if (place === null) {
      if (kept.master && isOlder(entry, kept.master)) return;
      // An earlier farewell that comes late says nothing of what was said since.
      const gone = this.#gone.get(uid);
      if (gone && isOlder(entry, gone)) return;
      this.#kept.set(uid, { ...nothingKept(), ...newerThan(entry, kept) });
      this.#gone.set(uid, entry);
      return;
    }
    if (isLate(entry, kept, place)) return;
    kept.single.delete(place);
    kept.cancelled.set(place, entry);
    this.#kept.set(uid, kept);
  }

  #showOne(uid: string, kept: Kept, before: Date): Shown[] {
    const shown: Shown[] = [];
    const add = (place: number, start: string, end: string, entry: Entry) => {
      if (Date.parse(start) >= before.getTime()) return;
      const own = kept.answered.get(place) ?? entry.own;
      const title = String(entry.event.getFirstPropertyValue('summary'));
      shown.push({ uid, place, start, end, title, own, answers: { ...partstatsOf(entry), [this.#address]: own } });
    };
    if (kept.master) {
      const length = lengthOf(kept.master);
      for (const place of placesOf(kept.master, before)) {
        if (kept.cancelled.has(place) || kept.single.has(place)) continue;
        add(place, new Date(place).toISOString(), new Date(place + length).toISOString(), kept.master);
      }
    }
    for (const [place, entry] of kept.single) {
      const [start, end] = (['dtstart', 'dtend'] as const).map((name) => momentOf(entry.event, name, entry.zone));
      if (start && end) add(place, start, end, entry);
    }
    return shown;
  }
}

const nothingKept = (): Kept => ({ master: null, single: new Map(), cancelled: new Map(), answered: new Map() });

/** RFC 5546, section 2.1.5. */
const isOlder = (one: Revision, known: Revision) =>
  one.sequence < known.sequence || (one.sequence === known.sequence && one.stamp < known.stamp);

/** What is known of an occurrence is what came on its own, or with the series. */
const isLate = (entry: Entry, { master, single, cancelled }: Kept, place: number) =>
  [single.get(place), cancelled.get(place), master].some((known) => known != null && isOlder(entry, known));

/** What came of single occurrences and is newer outlives the whole that was late. */
function newerThan(entry: Entry, { single, cancelled }: Kept): Pick<Kept, 'single' | 'cancelled'> {
  return {
    single: new Map([...single].filter(([, one]) => isOlder(entry, one))),
    cancelled: new Map([...cancelled].filter(([, one]) => isOlder(entry, one))),
  };
}

const OF_TIME = ['dtstart', 'dtend', 'duration', 'rrule'] as const;

/** Another time or rule is another revision (RFC 5546, section 2.1.4): programs go by that alone. */
function mustCountUp(entry: Entry, known: Entry | null): void {
  if (!known || entry.sequence > known.sequence) return;
  const isOther = (name: string) =>
    String(entry.event.getFirstPropertyValue(name)) !== String(known.event.getFirstPropertyValue(name));
  if (OF_TIME.some(isOther)) throw new Error(`another time at revision ${entry.sequence}, which is known with one`);
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

/** The moment of a property, in ISO 8601: in UTC as it stands, else by the zone that the mail brings. */
function momentOf(event: ICAL.Component, name: string, zone: ZoneClock | null): string {
  const property = event.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) throw new Error(`an event without ${name}`);
  return new Date(millisecondsOf(value, property.getFirstParameter('tzid') ? zone : null)).toISOString();
}

const millisecondsOf = (clock: ICAL.Time, zone: ZoneClock | null): number =>
  zone ? (zone.momentOf(clock) ?? Number.NaN) : asUtc(clock);

function lengthOf({ event, zone }: Entry): number {
  const told = event.getFirstPropertyValue('duration');
  if (told instanceof ICAL.Duration) return told.toSeconds() * 1_000;
  return Date.parse(momentOf(event, 'dtend', zone)) - Date.parse(momentOf(event, 'dtstart', zone));
}

/** Where a series has its occurrences: what the clocks skip is left out (RFC 5545, 3.3.10), and what EXDATE names. */
function placesOf({ event, zone }: Entry, before: Date): number[] {
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
  const turns = endless.iterator(clock);
  const places: number[] = [];
  for (let count = 0; count < MOST_TURNS; count += 1) {
    const next = turns.next();
    if (!next) break;
    const at = millisecondsOf(next, own);
    if (Number.isNaN(at)) continue;
    if (at > until || at >= before.getTime() + 90 * 86_400_000) break;
    if (!excluded.has(own ? next.toString() : `${next.toString()}Z`) && !excluded.has(next.toString())) places.push(at);
  }
  return places;
}
