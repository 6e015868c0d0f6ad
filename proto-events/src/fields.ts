import { z } from 'zod';

/** The id of any resource: 24 lower-case hexadecimal characters, the ObjectId layout (decisions, section 1). */
export const id = z.string().regex(/^[0-9a-f]{24}$/, 'Invalid id');

/** Path parameters of a call on one resource. */
export const idParams = z.object({ id });

/** A time as answers give it: ISO 8601 UTC with milliseconds. */
export const time = z.iso.datetime();

/** Whether a time falls, in UTC, into the years 0001 to 9999: those that ISO 8601 writes with four digits and PostgreSQL reads. */
const isInCalendar = (given: string) => /^(?!0000)\d{4}-/.test(new Date(given).toISOString());

/** A time as requests give it, with any offset; `message` is what the person is told when it is none, or none of the years 0001 to 9999. */
export function timeGiven(message: string) {
  // What is no time at all is asked nothing more.
  return z.iso.datetime({ offset: true, error: message, abort: true }).refine(isInCalendar, message);
}

/**
 * A time or a day as requests give it, in the years 0001 to 9999; a bare day means its first moment in UTC. Parsed to ISO 8601 UTC with
 * milliseconds.
 */
export const timeOrDay = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Invalid date' })
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

/** A person's e-mail address: the specification's simple pattern, compared without regard to case (section 5; decisions, section 2). */
export const email = z
  .string({ error: 'Email is required' })
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Please enter a valid email address')
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address')
  .toLowerCase();

/** An optional plus, a digit from 1 to 9, then up to 15 more digits (specification, section 5). */
export const phone = z
  .string()
  .trim()
  .regex(/^\+?[1-9]\d{0,15}$/, 'Please enter a valid phone number');

/** A phone number that may be left empty. */
export const optionalPhone = z.union([z.literal(''), phone], { error: 'Please enter a valid phone number' });

/** An IANA time zone that this runtime knows. */
export const timezone = z.string().refine(isTimezone, 'Unknown time zone');

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Page number from 1 and page size with a default of 10 and a maximum of 100; a larger size is clamped (decisions, section 1). */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .catch(10)
    .transform((limit) => Math.min(limit, 100)),
});

/** A list answer: `{ data, total, page, totalPages }`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), total: z.int(), page: z.int(), totalPages: z.int() });
}

/**
 * A filter of a list that takes one value or several with commas between them (`status=todo,review`). Unknown ones are left out;
 * nothing that is known means no filter.
 */
export function oneOrMore<T extends z.ZodEnum>(values: T) {
  return z
    .string()
    .optional()
    .transform((given) => {
      const known = (given ?? '').split(',').flatMap((value) => values.safeParse(value.trim()).data ?? []);
      return known.length === 0 ? undefined : [...new Set(known)];
    })
    .describe(`One or more, with commas between them, of: ${values.options.join(', ')}`);
}
