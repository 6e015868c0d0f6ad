import ICAL from 'ical.js';

/** Seconds east of UTC from a moment on, in milliseconds since 1970. */
type Change = { at: number; from: number; to: number };

/** How far the changes of a zone are followed, which has no end itself. */
const LAST_YEAR = 2032;

/**
 * The clock of a zone, read from its VTIMEZONE as RFC 5545 says it (3.6.5). The library's own goes wrong by the offset of the zone on the
 * days of its changes when it turns UTC into local times.
 */
export class ZoneClock {
  readonly #changes: Change[];

  constructor(zone: ICAL.Component) {
    this.#changes = zone
      .getAllSubcomponents()
      .flatMap(changesOf)
      .toSorted((one, other) => one.at - other.at);
  }

  /** The moment that a clock means: the first one where it shows the same twice, none where it is skipped. */
  momentOf(clock: ICAL.Time): number | undefined {
    const shown = asUtc(clock);
    const offsets = new Set(this.#changes.flatMap(({ from, to }) => [from, to]));
    const moments = [...offsets].map((offset) => ({ offset, at: shown - offset * 1_000 }));
    const meant = moments.filter(({ offset, at }) => this.#offsetAt(at) === offset).map(({ at }) => at);
    return meant.length === 0 ? undefined : Math.min(...meant);
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
    throw new Error('a part of a zone without what it needs');
  const onset = (local: ICAL.Time): Change => ({
    at: asUtc(local) - from.toSeconds() * 1_000,
    from: from.toSeconds(),
    to: to.toSeconds(),
  });
  const rule = observance.getFirstPropertyValue('rrule');
  const listed = observance.getAllProperties('rdate').flatMap((one): ICAL.Time[] => one.getValues());
  if (!(rule instanceof ICAL.Recur)) return [start, ...listed].map(onset);
  const changes: Change[] = [];
  const turns = rule.iterator(start);
  for (let next = turns.next(); next && next.year <= LAST_YEAR; next = turns.next()) changes.push(onset(next));
  return changes;
}
