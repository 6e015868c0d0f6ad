import ICAL from 'ical.js';

/** A change of the UTC offset. */
type Change = {
  /** Unix time in milliseconds. */
  at: number;
  /** Offsets in seconds. */
  from: number;
  to: number;
};

/** The last year of an expanded rule without an end. */
const LAST_YEAR = 2032;

/**
 * Converts local times by a VTIMEZONE, as section 3.6.5 of RFC 5545 prescribes. ical.js is not used for this, because
 * on days of clock changes its conversion from UTC to local time is off by the zone's offset.
 */
export class ZoneClock {
  readonly #changes: Change[];

  constructor(zone: ICAL.Component) {
    this.#changes = zone
      .getAllSubcomponents()
      .flatMap(listChanges)
      .toSorted((a, b) => a.at - b.at);
  }

  /** Returns the UTC time of a local time: the first one if it occurs twice, undefined if clocks skip it. */
  toTimestamp(localTime: ICAL.Time): number | undefined {
    const localMs = asUtc(localTime);
    const offsets = new Set(this.#changes.flatMap(({ from, to }) => [from, to]));
    const candidates = [...offsets].map((offset) => ({ offset, at: localMs - offset * 1_000 }));
    const matching = candidates.filter(({ offset, at }) => this.#offsetAt(at) === offset).map(({ at }) => at);
    return matching.length === 0 ? undefined : Math.min(...matching);
  }

  #offsetAt(at: number): number | undefined {
    return this.#changes.findLast((change) => change.at <= at)?.to ?? this.#changes[0]?.from;
  }
}

/** Interprets a local time as UTC, in milliseconds. */
export function asUtc({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function listChanges(observance: ICAL.Component): Change[] {
  const start = observance.getFirstPropertyValue('dtstart');
  const from = observance.getFirstPropertyValue('tzoffsetfrom');
  const to = observance.getFirstPropertyValue('tzoffsetto');
  if (!(start instanceof ICAL.Time && from instanceof ICAL.UtcOffset && to instanceof ICAL.UtcOffset))
    throw new Error('A time zone component lacks DTSTART, TZOFFSETFROM, or TZOFFSETTO');
  const toChange = (local: ICAL.Time): Change => ({
    at: asUtc(local) - from.toSeconds() * 1_000,
    from: from.toSeconds(),
    to: to.toSeconds(),
  });
  const rule = observance.getFirstPropertyValue('rrule');
  const dates = observance.getAllProperties('rdate').flatMap((property): ICAL.Time[] => property.getValues());
  if (!(rule instanceof ICAL.Recur)) return [start, ...dates].map(toChange);
  const changes: Change[] = [];
  const iterator = rule.iterator(start);
  for (let next = iterator.next(); next && next.year <= LAST_YEAR; next = iterator.next()) changes.push(toChange(next));
  return changes;
}
