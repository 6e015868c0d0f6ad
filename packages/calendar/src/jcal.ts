import ICAL from 'ical.js';
import type { Temporal } from 'temporal-polyfill';

type Parameters = Record<string, string>;

/** A jCal property (RFC 7265): name, parameters, value type, values. */
export type Property = [name: string, parameters: Parameters, type: string, ...values: unknown[]];

export type Component = [name: string, properties: Property[], components: Component[]];

/**
 * A line has at most 75 octets (RFC 5545, section 3.1). ical.js does not count the leading space of a continuation
 * line.
 */
ICAL.foldLength = 74;

/** Writes a component as RFC 5545 text: escaped, folded, and with CRLF line breaks. */
export const toText = (component: Component): string => ICAL.stringify(component);

/** Normalizes line breaks, and removes control characters other than tabs (RFC 5545, section 3.1). */
const normalizeText = (value: string) => value.replaceAll(/\r\n?/g, '\n').replaceAll(/[\p{Cc}--[\t\n]]/gv, '');

export const text = (name: string, value: string, parameters: Parameters = {}): Property => [
  name,
  parameters,
  'text',
  normalizeText(value),
];

export const integer = (name: string, value: number): Property => [name, {}, 'integer', value];

export const utc = (name: string, at: Temporal.Instant): Property => [name, {}, 'date-time', utcValue(at)];

export const utcValue = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'second' });

/** Writes a timestamp in local time. An ambiguous local time means its first occurrence (RFC 5545, section 3.3.5). */
export function local(name: string, at: Temporal.Instant, zone: string): Property {
  if (zone === 'UTC') return utc(name, at);
  return [name, { tzid: zone }, 'date-time', clockValue(at.toZonedDateTimeISO(zone).toPlainDateTime())];
}

/**
 * Returns which occurrence of a local time this is if the time occurs twice because clocks go back; otherwise
 * undefined.
 */
export function findFold(at: Temporal.Instant, zone: string): 'first' | 'second' | undefined {
  const clock = at.toZonedDateTimeISO(zone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    clock.toZonedDateTime(zone, { disambiguation }).toInstant(),
  );
  if (!first || !second || first.equals(second)) return undefined;
  return at.equals(first) ? 'first' : 'second';
}

export const clockValue = (clock: Temporal.PlainDateTime): string => clock.toString({ smallestUnit: 'second' });
