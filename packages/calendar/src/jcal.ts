import ICAL from 'ical.js';
import type { Temporal } from 'temporal-polyfill';

type Parameters = Record<string, string>;

/** A jCal property (RFC 7265): name, parameters, value type, values. */
export type Property = [name: string, parameters: Parameters, type: string, ...values: unknown[]];

export type Component = [name: string, properties: Property[], components: Component[]];

/** ical.js does not count the leading space of a continuation line: 74 octets and the space (RFC 5545, section 3.1). */
ICAL.foldLength = 74;

/** The RFC 5545 text of a component: escaped, folded, with CRLF line ends. */
export const toText = (component: Component): string => ICAL.stringify(component);

/** Normalizes line breaks, and removes control characters other than tabs (RFC 5545, section 3.1). */
const plain = (value: string) => value.replaceAll(/\r\n?/g, '\n').replaceAll(/[\p{Cc}--[\t\n]]/gv, '');

export const text = (name: string, value: string, parameters: Parameters = {}): Property => [
  name,
  parameters,
  'text',
  plain(value),
];

export const integer = (name: string, value: number): Property => [name, {}, 'integer', value];

export const utc = (name: string, at: Temporal.Instant): Property => [name, {}, 'date-time', utcValue(at)];

export const utcValue = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' });

/** A timestamp in local time. An ambiguous local time means its first occurrence (RFC 5545, section 3.3.5). */
export function local(name: string, at: Temporal.Instant, zone: string): Property {
  if (zone === 'UTC') return utc(name, at);
  return [name, { tzid: zone }, 'date-time', clockValue(at.toZonedDateTimeISO(zone).toPlainDateTime())];
}

/** For an ambiguous local time, when clocks go back, which of the two occurrences this is; undefined otherwise. */
export function foldOf(at: Temporal.Instant, zone: string): 'first' | 'second' | undefined {
  const clock = at.toZonedDateTimeISO(zone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    clock.toZonedDateTime(zone, { disambiguation }).toInstant(),
  );
  if (!first || !second || first.equals(second)) return undefined;
  return at.equals(first) ? 'first' : 'second';
}

export const clockValue = (clock: Temporal.PlainDateTime): string => clock.toString({ smallestUnit: 'second' });
