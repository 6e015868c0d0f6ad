import { z } from 'zod';
import { readEmailAddress } from './text/email.ts';
import { composeText, normalizeName, normalizeText, visible } from './text/normalize.ts';
import { countChars } from './text-length.ts';
import { isTimeZone } from './time-zones.ts';

/**
 * A list as requests give it, of at most `max` items; `message` is what the person is told of more. How many there are is looked at before any of them: a list of half a million
 * costs no more than one of ten.
 */
export function boundedArray<T extends z.ZodType>(max: number, list: z.ZodArray<T>, message?: string) {
  return z.preprocess((given: z.input<T>[], context) => {
    if (!Array.isArray(given) || given.length <= max) return given;
    const issue = { code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: given } as const;
    context.addIssue({ ...issue, ...(message !== undefined && { message }) });
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
export const MAX_TIMESTAMP_LENGTH = 40;

/** Whether a time falls, in UTC, into the years 0001 to 9999: those that ISO 8601 writes with four digits and PostgreSQL reads. */
export const isInCalendar = (given: string) => /^(?!0000)\d{4}-/.test(new Date(given).toISOString());

/**
 * A time as requests give it, with any offset; `message` is what the person is told when it is none, or none of the years 0001 to 9999.
 * Parsed to ISO 8601 UTC with milliseconds: databases know fewer offsets than ISO 8601 does.
 */
export function timeInput(message: string) {
  // What is no time at all is asked nothing more.
  return z.iso
    .datetime({ offset: true, error: message, abort: true })
    .max(MAX_TIMESTAMP_LENGTH, { error: message, abort: true })
    .refine(isInCalendar, { error: message, abort: true })
    .transform((given) => new Date(given).toISOString());
}

/**
 * A time or a day as requests give it, in the years 0001 to 9999; a bare day means its first moment in UTC. Parsed to ISO 8601 UTC with
 * milliseconds.
 */
export const timeOrDateInput = z
  .union([z.iso.datetime({ offset: true }).max(MAX_TIMESTAMP_LENGTH), z.iso.date()], { error: 'Invalid date' })
  .refine(isInCalendar, 'Invalid date')
  .transform((given) => new Date(given).toISOString());

type Bag = { minimum?: number; maximum?: number };

type LengthRule = { holds: (text: string) => boolean; error: string | undefined; abort: boolean; bag: Bag };

/** A rule about the length of a text that a JSON schema tells by a keyword of its own. */
function lengthRule({ holds, error, abort, bag }: LengthRule) {
  const check = z.refine<string>(holds, { ...(error !== undefined && { error }), abort });
  check._zod.onattach.push((schema) => void Object.assign(schema._zod.bag, bag));
  return check;
}

/** At most `max` characters by `lengthOf`. */
export function maxChars(max: number, error?: string) {
  const holds = (text: string) => text.length <= max || (text.length <= 2 * max && countChars(text) <= max);
  return lengthRule({ holds, error, abort: true, bag: { maximum: max } });
}

/** At least `min` characters, counted in the same way. */
export function minChars(min: number, error?: string) {
  const holds = (text: string) => text.length >= 2 * min || countChars(text) >= min;
  return lengthRule({ holds, error, abort: false, bag: { minimum: min } });
}

/** PostgreSQL keeps every character but this one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the rule is about
const storable = /^[^\u0000]*$/;
const UNSTORABLE = 'The text holds a character that cannot be stored';

type TextMessages = { missing?: string; tooLong?: string };

const tooLongMessage = (max: number, { tooLong }: TextMessages) => tooLong ?? `Must be at max ${max} characters`;

/** Text that may be stored, as it was sent, of at most `max` characters; `messages` are for what is no text at all, or too long. */
export const storableText = (max: number, messages: TextMessages = {}) =>
  z
    .string(messages.missing)
    .check(maxChars(max, tooLongMessage(max, messages)))
    .regex(storable, { error: UNSTORABLE, abort: true });

/** The canonical decomposition of one character has at most so many. */
const MAX_DECOMPOSED = 4;

/**
 * A text in NFC of at most `max` characters. They are counted once it is composed, which makes some texts shorter and some longer: what is
 * stored can be sent again.
 */
export function composedText(text: z.ZodString, max: number, tooLong: string) {
  return text
    .check(maxChars(MAX_DECOMPOSED * max, tooLong))
    .overwrite(composeText)
    .check(maxChars(max, tooLong));
}

/** Text that may be stored, composed (NFC). */
export const storedText = (max: number, messages: TextMessages = {}) =>
  composedText(z.string(messages.missing), max, tooLongMessage(max, messages)).regex(storable, {
    error: UNSTORABLE,
    abort: true,
  });

const visibleText = (message: string, max: number) =>
  storedText(max, { missing: message }).min(1, { error: message, abort: true }).regex(visible, message);

/** Normalized text with a visible character in it; `message` is what the user is told when there is none. */
export const requiredText = (message: string, max = 500) => visibleText(message, max).overwrite(normalizeText);

/** The same for a name, a title, or any other text of one line: it cannot turn the direction of the text around it. */
export const requiredName = (message: string, max = 500) => visibleText(message, max).overwrite(normalizeName);

/** The part of a form that is a file. */
export const uploadedFile = z.string().meta({ format: 'binary' });

/** What a list is searched for; trimmed, and nothing looks for everything. */
export function searchText(max: number, about: string) {
  return storedText(max).overwrite(normalizeText).optional().describe(about);
}

/** Normalized text that may be empty or absent. */
export const optionalText = (max = 500) => storedText(max).overwrite(normalizeText);

/** The same, empty or absent. */
export const optionalName = (max = 500) => storedText(max).overwrite(normalizeName);

const noEmail = 'Please enter a valid email address';

/** As many characters as surround an address where people copy it from. */
export const MAX_PASTED_EMAIL_LENGTH = 1_000;

const emailUpTo = (max: number) =>
  z
    .string({ error: 'Email is required' })
    .check(maxChars(max, noEmail))
    .regex(visible, 'Email is required')
    .overwrite((given) => readEmailAddress(given) ?? '')
    .refine((address) => address !== '', noEmail);

/**
 * A person's email address, out of what is pasted around it, in the one form in which addresses are stored and compared
 * (`readEmailAddress`).
 */
export const email = emailUpTo(MAX_PASTED_EMAIL_LENGTH);

/** One of many addresses, without much around it (RFC 5321, 4.5.3.1.3). */
export const shortEmail = emailUpTo(254);

/** An optional plus, a digit from 1 to 9, then up to 15 more digits (specification, section 5). */
export const phone = z
  .string()
  .max(40, { error: 'Please enter a valid phone number', abort: true })
  .regex(/^\s*\+?[1-9][0-9]{0,15}\s*$/, 'Please enter a valid phone number')
  .trim();

/** A phone number that may be left empty. */
export const optionalPhone = z.union([z.literal(''), phone], { error: 'Please enter a valid phone number' });

/**
 * An IANA time zone that this runtime knows, in IANA's own spelling, which is what calendars understand. Names of old that stand for
 * another (`Europe/Kiev`) are among them; an offset is not (decisions, section 10).
 */
export const timezone = z
  .string()
  .max(100, { error: 'Unknown time zone', abort: true })
  .refine(isTimeZone, 'Unknown time zone')
  .meta({ examples: ['Europe/Berlin', 'UTC'] });

/** `all`: what the word `all` counts as, where it is accepted. */
type WholeNumberOptions = { fallback: number; max: number; all?: number; about: string };

/**
 * A whole number from 1 within a query. What is none, or absent, counts as `fallback`, and more than `most` as `most`: a list is
 * answered whatever is asked for (decisions, section 1).
 */
export function wholeNumber({ fallback, max, all, about }: WholeNumberOptions) {
  return z
    .union([z.string(), z.number()])
    .optional()
    .catch(undefined)
    .transform((given) => {
      if (all !== undefined && given === 'all') return all;
      const number = given === undefined || String(given).length > 20 ? Number.NaN : Number(given);
      return Number.isInteger(number) && number >= 1 ? Math.min(number, max) : fallback;
    })
    .meta({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }], default: fallback, description: about });
}

/** How many users a list item contains by default, and at most (decisions, section 11). */
export const DEFAULT_USERS_PER_ITEM = 6;
export const MAX_USERS_PER_ITEM = 1_000;

/** `people` of a list: how many users each item contains; `all` means up to 1,000. Every item also carries the total count. */
export const usersPerItem = (about: string) =>
  wholeNumber({
    fallback: DEFAULT_USERS_PER_ITEM,
    max: MAX_USERS_PER_ITEM,
    all: MAX_USERS_PER_ITEM,
    about: `${about}; ${DEFAULT_USERS_PER_ITEM} by default, \`all\` for up to ${MAX_USERS_PER_ITEM}`,
  });

/** How many rows the pages of a list reach; beyond, nobody looks through a list: they search (decisions, section 10). */
export const MAX_PAGED_ROWS = 10_000;

/**
 * Page number from 1, and page size with a default of 10 and a maximum of 100 (decisions, section 1). Pages beyond the first 10,000
 * rows are refused (section 10). A list with filters extends it.
 */
export const pageQuery = z
  .object({
    page: wholeNumber({
      fallback: 1,
      max: Number.MAX_SAFE_INTEGER,
      about: 'From 1, which is also what anything else counts as; `page` × `limit` beyond 10,000 answers 400',
    }),
    limit: wholeNumber({ fallback: 10, max: 100, about: '1 to 100; more counts as 100, anything else as 10' }),
  })
  .refine(({ page, limit }) => page * limit <= MAX_PAGED_ROWS, {
    path: ['page'],
    error: 'Narrow the search to see more',
  });

/** How many items of a list are asked for by their ids at once. */
export const MAX_IDS = 100;

/**
 * Ids as a query gives them, with commas between them: only these items of the list, which its other filters hold for. What is no id is
 * left out; where none is left, nothing is meant. Undefined where they are not given.
 */
export const idList = z
  .string()
  .check(maxChars(MAX_IDS * 25))
  .optional()
  .transform((given) =>
    given === undefined
      ? undefined
      : [...new Set(given.split(',').map((one) => one.trim()))].filter((one) => id.safeParse(one).success),
  )
  .describe(`Only these: up to ${MAX_IDS} ids with commas between them`);

/** A list answer: `{ data, total, page, totalPages }`. A search counts up to 1,000, and says when there are more (decisions, section 10). */
export function pageOf<T extends z.ZodType>(item: T) {
  const more = z.literal(true).optional().describe('Of a search: it found more than `total` says');
  return z.object({ data: z.array(item), total: z.int(), more, page: z.int(), totalPages: z.int() });
}

/**
 * A filter of a list that takes one value or several with commas between them (`status=todo,review`). Unknown ones are left out;
 * nothing that is known means no filter.
 */
export function csvEnum<T extends z.ZodEnum>(values: T) {
  const options = new Set<unknown>(values.options);
  const isKnown = (value: unknown): value is z.output<T> => options.has(value);
  return z
    .string()
    .check(maxChars(500))
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
