import ICAL from 'ical.js';

/** A change of the UTC offset, in seconds, at a time in milliseconds since the epoch. */
type Change = { at: number; from: number; to: number };

/** The last year to which rules without an end are expanded. */
const LAST_YEAR = 2032;

/**
 * Converts local times by a VTIMEZONE, as RFC 5545 section 3.6.5 prescribes. ical.js is off by the zone's offset on days of clock changes
 * when it converts UTC to local time.
 */
export class ZoneClock {
  readonly #changes: Change[];

  constructor(zone: ICAL.Component) {
    this.#changes = zone
      .getAllSubcomponents()
      .flatMap(changesOf)
      .toSorted((a, b) => a.at - b.at);
  }

  /** The UTC time of a local time: the first one if it occurs twice, undefined if it is skipped. */
  momentOf(clock: ICAL.Time): number | undefined {
    const shown = asUtc(clock);
    const offsets = new Set(this.#changes.flatMap(({ from, to }) => [from, to]));
    const candidates = [...offsets].map((offset) => ({ offset, at: shown - offset * 1_000 }));
    const matching = candidates.filter(({ offset, at }) => this.#offsetAt(at) === offset).map(({ at }) => at);
    return matching.length === 0 ? undefined : Math.min(...matching);
  }

  #offsetAt(at: number): number | undefined {
    return this.#changes.findLast((change) => change.at <= at)?.to ?? this.#changes[0]?.from;
  }
}

export function asUtc({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function changesOf(observance: ICAL.Component): Change[] {
  const [start, from, to] = ['dtstart', 'tzoffsetfrom', 'tzoffsetto'].map((name) =>
    observance.getFirstPropertyValue(name),
  );
  if (!(start instanceof ICAL.Time && from instanceof ICAL.UtcOffset && to instanceof ICAL.UtcOffset))
    throw new Error('incomplete zone component');
  const onset = (local: ICAL.Time): Change => ({
    at: asUtc(local) - from.toSeconds() * 1_000,
    from: from.toSeconds(),
    to: to.toSeconds(),
  });
  const rule = observance.getFirstPropertyValue('rrule');
  const listed = observance.getAllProperties('rdate').flatMap((property): ICAL.Time[] => property.getValues());
  if (!(rule instanceof ICAL.Recur)) return [start, ...listed].map(onset);
  const changes: Change[] = [];
  const iterator = rule.iterator(start);
  for (let next = iterator.next(); next && next.year <= LAST_YEAR; next = iterator.next()) changes.push(onset(next));
  return changes;
}
