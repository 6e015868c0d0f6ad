import { z } from 'zod';
import { isTimeZone } from './time-zones.ts';

/**
 * A list as requests give it, of at most `max` items. How many there are is looked at before any of them: a list of half a million
 * costs no more than one of ten.
 */
export function listUpTo<T extends z.ZodType>(max: number, list: z.ZodArray<T>) {
  return z.preprocess((given: z.input<T>[], context) => {
    if (!Array.isArray(given) || given.length <= max) return given;
    context.addIssue({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: given });
    return z.NEVER;
  }, list.max(max));
}

/** The id of any resource: 24 lower-case hexadecimal characters, the ObjectId layout (decisions, section 1). */
export const id = z.string().regex(/^[0-9a-f]{24}$/, 'Invalid id');

/** Path parameters of a call on one resource. */
export const idParams = z.object({ id });

/** A time as answers give it: ISO 8601 UTC with milliseconds. */
export const time = z.iso.datetime();

/** A time's seconds may have any number of decimals (ISO 8601), of which nobody needs more than these characters hold. */
export const LONGEST_TIME = 40;

/** Whether a time falls, in UTC, into the years 0001 to 9999: those that ISO 8601 writes with four digits and PostgreSQL reads. */
const isInCalendar = (given: string) => /^(?!0000)\d{4}-/.test(new Date(given).toISOString());

/** A time as requests give it, with any offset; `message` is what the person is told when it is none, or none of the years 0001 to 9999. */
export function timeGiven(message: string) {
  // What is no time at all is asked nothing more.
  return z.iso
    .datetime({ offset: true, error: message, abort: true })
    .max(LONGEST_TIME, { error: message, abort: true })
    .refine(isInCalendar, message);
}

/**
 * A time or a day as requests give it, in the years 0001 to 9999; a bare day means its first moment in UTC. Parsed to ISO 8601 UTC with
 * milliseconds.
 */
export const timeOrDay = z
  .union([z.iso.datetime({ offset: true }).max(LONGEST_TIME), z.iso.date()], { error: 'Invalid date' })
  .refine(isInCalendar, 'Invalid date')
  .transform((given) => new Date(given).toISOString());

/** Text that must be there after trimming; `message` is what the person is told when it is not. */
export function requiredText(message: string, max = 500) {
  return z.string({ error: message }).trim().min(1, message).max(max, `Must be at most ${max} characters`);
}

/** Text that may be empty or absent; trimmed. */
export function optionalText(max = 500) {
  return z.string().trim().max(max, `Must be at most ${max} characters`);
}

const noEmail = 'Please enter a valid email address';

/**
 * A person's e-mail address, compared without regard to case (specification, section 5; decisions, section 2). The pattern takes
 * what the specification's does, in a form that never goes back over what it has read.
 */
export const email = z
  .string({ error: 'Email is required' })
  .trim()
  .min(1, 'Email is required')
  .max(254, { error: noEmail, abort: true })
  .regex(/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, noEmail)
  .toLowerCase();

/** An optional plus, a digit from 1 to 9, then up to 15 more digits (specification, section 5). */
export const phone = z
  .string()
  .trim()
  .max(17, { error: 'Please enter a valid phone number', abort: true })
  .regex(/^\+?[1-9]\d{0,15}$/, 'Please enter a valid phone number');

/** A phone number that may be left empty. */
export const optionalPhone = z.union([z.literal(''), phone], { error: 'Please enter a valid phone number' });

/**
 * An IANA time zone that this runtime knows, in IANA's own spelling, which is what calendars understand. Names of old that stand for
 * another (`Europe/Kiev`) are among them; an offset is not (decisions, section 10).
 */
export const timezone = z
  .string()
  .max(100, { error: 'Unknown time zone', abort: true })
  .refine(isTimeZone, 'Unknown time zone');

/**
 * A whole number from 1 within a query. What is none, or absent, counts as `fallback`, and more than `most` as `most`: a list is
 * answered whatever is asked for (decisions, section 1).
 */
export function wholeNumber({ fallback, most, about }: { fallback: number; most: number; about: string }) {
  return z
    .union([z.string(), z.number()])
    .optional()
    .catch(undefined)
    .transform((given) => {
      const number = given === undefined || String(given).length > 20 ? Number.NaN : Number(given);
      return Number.isInteger(number) && number >= 1 ? Math.min(number, most) : fallback;
    })
    .meta({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }], default: fallback, description: about });
}

/** How many rows the pages of a list reach; beyond, nobody looks through a list: they search (decisions, section 10). */
export const PAGED_ROWS = 10_000;

/**
 * Page number from 1, and page size with a default of 10 and a maximum of 100 (decisions, section 1). Pages beyond the first 10,000
 * rows are refused (section 10). A list with filters extends it.
 */
export const pageQuery = z
  .object({
    page: wholeNumber({
      fallback: 1,
      most: Number.MAX_SAFE_INTEGER,
      about: 'From 1, which is also what anything else counts as; `page` × `limit` beyond 10,000 answers 400',
    }),
    limit: wholeNumber({ fallback: 10, most: 100, about: '1 to 100; more counts as 100, anything else as 10' }),
  })
  .refine(({ page, limit }) => page * limit <= PAGED_ROWS, { path: ['page'], error: 'Narrow the search to see more' });

/** A list answer: `{ data, total, page, totalPages }`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), total: z.int(), page: z.int(), totalPages: z.int() });
}

/**
 * A filter of a list that takes one value or several with commas between them (`status=todo,review`). Unknown ones are left out;
 * nothing that is known means no filter.
 */
export function oneOrMore<T extends z.ZodEnum>(values: T) {
  const options = new Set<unknown>(values.options);
  const isKnown = (value: unknown): value is z.output<T> => options.has(value);
  return z
    .string()
    .max(500)
    .optional()
    .transform((given) => {
      const known = (given ?? '')
        .split(',')
        .map((value) => value.trim())
        .filter(isKnown);
      return known.length === 0 ? undefined : [...new Set(known)];
    })
    .describe(`One or more, with commas between them, of: ${values.options.join(', ')}; others are left out`);
}
