import ICAL from 'ical.js';
import type { Temporal } from 'temporal-polyfill';

type Parameters = Record<string, string>;

/** A property in jCal (RFC 7265): name, parameters, type of the value, values. */
export type Property = [name: string, parameters: Parameters, type: string, ...values: unknown[]];

/** A component in jCal. */
export type Component = [name: string, properties: Property[], components: Component[]];

/** ical.js does not count the space of a continuation line, which RFC 5545, section 3.1, does: 74 octets and the space. */
ICAL.foldLength = 74;

/** The text of a component as RFC 5545 has it: escaped, folded, lines that end in CRLF. */
export const toText = (component: Component): string => ICAL.stringify(component);

/** A line that a person ended otherwise ends as `\n`, which is escaped; a text has no other control character but the tab (RFC 5545, section 3.1). */
const plain = (value: string) => value.replaceAll(/\r\n?/g, '\n').replaceAll(/[\p{Cc}--[\t\n]]/gv, '');

export const text = (name: string, value: string, parameters: Parameters = {}): Property => [
  name,
  parameters,
  'text',
  plain(value),
];

export const integer = (name: string, value: number): Property => [name, {}, 'integer', value];

/** A moment in UTC. */
export const utc = (name: string, at: Temporal.Instant): Property => [name, {}, 'date-time', utcValue(at)];

export const utcValue = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' });

/** A moment by the clock of a zone. Where that shows the same twice it means the first time (RFC 5545, section 3.3.5). */
export function local(name: string, at: Temporal.Instant, zone: string): Property {
  if (zone === 'UTC') return utc(name, at);
  return [name, { tzid: zone }, 'date-time', clockValue(at.toZonedDateTimeISO(zone).toPlainDateTime())];
}

/** Which of the two moments this is at which the clock shows the same, in a night in which it goes back; undefined at any other time. */
export function foldOf(at: Temporal.Instant, zone: string): 'first' | 'second' | undefined {
  const clock = at.toZonedDateTimeISO(zone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    clock.toZonedDateTime(zone, { disambiguation }).toInstant(),
  );
  if (!first || !second || first.equals(second)) return undefined;
  return at.equals(first) ? 'first' : 'second';
}

/** What a clock shows, of no zone. */
export const clockValue = (clock: Temporal.PlainDateTime): string => clock.toString({ smallestUnit: 'second' });
