import { z } from 'zod';
import { parseEmailAddress } from './text/email.ts';
import { composeText, normalizeName, normalizeText, visible } from './text/normalize.ts';
import { countChars } from './text-length.ts';
import { isTimeZone } from './time-zones.ts';
import { USERS_PER_ITEM } from './users-per-item.ts';

/**
 * Accepts at most `max` items; `message` is the validation message. The length is checked before the items, so an
 * oversized list costs nothing.
 */
export function boundedArray<T extends z.ZodType>(max: number, list: z.ZodArray<T>, message?: string) {
  return z.preprocess((input: z.input<T>[], context) => {
    if (!Array.isArray(input) || input.length <= max) return input;
    const issue = { code: 'too_big', origin: 'array', maximum: max, inclusive: true, input } as const;
    context.addIssue({ ...issue, ...(message !== undefined && { message }) });
    return z.NEVER;
  }, list.max(max));
}

export const id = z.string().regex(/^[0-9a-f]{24}$/, 'Invalid id');

export const idParams = z.object({ id });

/** ISO 8601 UTC with milliseconds. */
export const time = z.iso.datetime();

/** Limits the length, since ISO 8601 allows any number of decimals. */
export const MAX_TIMESTAMP_LENGTH = 40;

/** Accepts the years 0001 to 9999 in UTC, which ISO 8601 writes with four digits and PostgreSQL accepts. */
export const hasFourDigitYear = (timestamp: string) => /^(?!0000)\d{4}-/.test(new Date(timestamp).toISOString());

/**
 * Accepts a timestamp with any offset, within the years 0001 to 9999; `message` is the validation message. Converts it
 * to ISO 8601 UTC with milliseconds, since databases know fewer offsets than ISO 8601.
 */
export function timeInput(message: string) {
  return z.iso
    .datetime({ offset: true, error: message, abort: true })
    .max(MAX_TIMESTAMP_LENGTH, { error: message, abort: true })
    .refine(hasFourDigitYear, { error: message, abort: true })
    .transform((timestamp) => new Date(timestamp).toISOString());
}

/** Like `timeInput`, and accepts a date, which means its start in UTC. */
export const timeOrDateInput = z
  .union([z.iso.datetime({ offset: true }).max(MAX_TIMESTAMP_LENGTH), z.iso.date()], { error: 'Invalid date' })
  .refine(hasFourDigitYear, 'Invalid date')
  .transform((timestamp) => new Date(timestamp).toISOString());

/** Zod reads the limits for JSON Schema from the bag of a schema. */
type LengthBag = { minimum?: number; maximum?: number };

type LengthRule = { isValid: (text: string) => boolean; error: string | undefined; abort: boolean; bag: LengthBag };

function lengthRule({ isValid, error, abort, bag }: LengthRule) {
  const check = z.refine<string>(isValid, { ...(error !== undefined && { error }), abort });
  check._zod.onattach.push((schema) => void Object.assign(schema._zod.bag, bag));
  return check;
}

export function maxChars(max: number, error?: string) {
  const isValid = (text: string) => text.length <= max || (text.length <= 2 * max && countChars(text) <= max);
  return lengthRule({ isValid, error, abort: true, bag: { maximum: max } });
}

export function minChars(min: number, error?: string) {
  const isValid = (text: string) => text.length >= 2 * min || countChars(text) >= min;
  return lengthRule({ isValid, error, abort: false, bag: { minimum: min } });
}

/** Matches text that PostgreSQL can store, which is every character except U+0000. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the rule is about
const storable = /^[^\u0000]*$/;
const UNSTORABLE = 'The text holds a character that cannot be stored';

type TextMessages = { missing?: string; tooLong?: string };

const tooLongMessage = (max: number, { tooLong }: TextMessages) => tooLong ?? `Must be at most ${max} characters`;

/** Accepts text of at most `max` characters, unchanged; `messages` are for missing or too long text. */
export const storableText = (max: number, messages: TextMessages = {}) =>
  z
    .string(messages.missing)
    .check(maxChars(max, tooLongMessage(max, messages)))
    .regex(storable, { error: UNSTORABLE, abort: true });

/** Maximum length of the canonical decomposition of one character. */
const MAX_DECOMPOSED = 4;

/**
 * Composes text (NFC) and counts it afterward, since composition can shorten or lengthen it: stored text can be sent
 * again.
 */
export function composedText(text: z.ZodString, max: number, tooLong: string) {
  return text
    .check(maxChars(MAX_DECOMPOSED * max, tooLong))
    .overwrite(composeText)
    .check(maxChars(max, tooLong));
}

/** Accepts storable text, and composes it (NFC). */
export const storedText = (max: number, messages: TextMessages = {}) =>
  composedText(z.string(messages.missing), max, tooLongMessage(max, messages)).regex(storable, {
    error: UNSTORABLE,
    abort: true,
  });

const visibleText = (message: string, max: number) =>
  storedText(max, { missing: message }).min(1, { error: message, abort: true }).regex(visible, message);

/** Requires at least one visible character; `message` is the validation message. */
export const requiredText = (message: string, max = 500) => visibleText(message, max).overwrite(normalizeText);

/** Like `requiredText`, on a single line, without bidirectional control characters. */
export const requiredName = (message: string, max = 500) => visibleText(message, max).overwrite(normalizeName);

export const uploadedFile = z.string().meta({ format: 'binary' });

/** Trims a search query; an empty one matches everything. */
export function searchText(max: number, description: string) {
  return storedText(max).overwrite(normalizeText).optional().describe(description);
}

export const optionalText = (max = 500) => storedText(max).overwrite(normalizeText);

export const optionalName = (max = 500) => storedText(max).overwrite(normalizeName);

const INVALID_EMAIL = 'Please enter a valid email address';

/** Maximum characters of an address with pasted text around it. */
export const MAX_PASTED_EMAIL_LENGTH = 1_000;

const emailUpTo = (max: number) =>
  z
    .string({ error: 'Email is required' })
    .check(maxChars(max, INVALID_EMAIL))
    .regex(visible, 'Email is required')
    .overwrite((input) => parseEmailAddress(input) ?? '')
    .refine((address) => address !== '', INVALID_EMAIL);

/**
 * Extracts an address from pasted text, in the normalized form that is stored and compared (`parseEmailAddress`).
 */
export const email = emailUpTo(MAX_PASTED_EMAIL_LENGTH);

/** Like `email`, for one of many addresses, with little text around it (RFC 5321, 4.5.3.1.3). */
export const shortEmail = emailUpTo(254);

export const phone = z
  .string()
  .max(40, { error: 'Please enter a valid phone number', abort: true })
  .regex(/^\s*\+?[1-9][0-9]{0,15}\s*$/, 'Please enter a valid phone number')
  .trim();

export const optionalPhone = z.union([z.literal(''), phone], { error: 'Please enter a valid phone number' });

/**
 * Accepts zones in IANA's spelling, as calendars require. Links to other zones (`Europe/Kiev`) are valid; offsets are
 * not.
 */
export const timezone = z
  .string()
  .max(100, { error: 'Unknown time zone', abort: true })
  .refine(isTimeZone, 'Unknown time zone')
  .meta({ examples: ['Europe/Berlin', 'UTC'] });

type WholeNumberOptions = {
  fallback: number;
  max: number;
  /** The value of the keyword `all`, where it is accepted. */
  all?: number;
  description: string;
};

/**
 * Accepts numbers from 1. An invalid or absent value counts as `fallback`, and a value above `max` as `max`, so that
 * lists always respond.
 */
export function wholeNumber({ fallback, max, all, description }: WholeNumberOptions) {
  return z
    .union([z.string(), z.number()])
    .optional()
    .catch(undefined)
    .transform((input) => {
      if (all !== undefined && input === 'all') return all;
      const number = input === undefined || String(input).length > 20 ? Number.NaN : Number(input);
      return Number.isInteger(number) && number >= 1 ? Math.min(number, max) : fallback;
    })
    .meta({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }], default: fallback, description });
}

export const MAX_USERS_PER_ITEM = 1_000;

/**
 * The parameter `people` of a list: how many users each item contains. `all` means up to 1,000. Every item also carries
 * the total count.
 */
export const usersPerItem = (description: string) =>
  wholeNumber({
    fallback: USERS_PER_ITEM,
    max: MAX_USERS_PER_ITEM,
    all: MAX_USERS_PER_ITEM,
    description: `${description}; ${USERS_PER_ITEM} by default, \`all\` for up to ${MAX_USERS_PER_ITEM}`,
  });

/** Number of rows that can be paged through; to see others, users narrow the search. */
export const MAX_PAGED_ROWS = 10_000;

/**
 * Page number from 1, and page size with a default of 10 and a maximum of 100. Pages beyond the first 10,000
 * rows are rejected.
 */
export const pageQuery = z
  .object({
    page: wholeNumber({
      fallback: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'From 1, the default for invalid values; `page` × `limit` beyond 10,000 responds 400',
    }),
    limit: wholeNumber({
      fallback: 10,
      max: 100,
      description: '1 to 100; larger values count as 100, invalid ones as 10',
    }),
  })
  .refine(({ page, limit }) => page * limit <= MAX_PAGED_ROWS, {
    path: ['page'],
    error: 'Narrow the search to see more',
  });

/** Maximum number of list items to request by id. */
export const MAX_IDS = 100;

export const idList = z
  .string()
  .check(maxChars(MAX_IDS * 25))
  .optional()
  .transform((input) =>
    input === undefined
      ? undefined
      : [...new Set(input.split(',').map((text) => text.trim()))].filter((text) => id.safeParse(text).success),
  )
  .describe(`Only these: up to ${MAX_IDS} ids with commas between them`);

/**
 * Accepts comma-separated values (`status=todo,review`). Unknown ones are ignored; without a known one, there is no
 * filter.
 */
export function csvEnum<T extends z.ZodEnum>(values: T) {
  const options = new Set<unknown>(values.options);
  const isKnown = (value: unknown): value is z.output<T> => options.has(value);
  return z
    .string()
    .check(maxChars(500))
    .optional()
    .transform((input) => {
      const knownValues = (input ?? '')
        .split(',')
        .map((value) => value.trim())
        .filter(isKnown);
      return knownValues.length === 0 ? undefined : [...new Set(knownValues)];
    })
    .describe(`One or more, with commas between them, of: ${values.options.join(', ')}; others are left out`);
}

export const WRONG_DAY_TIME = 'Please enter a time as HH:MM';

/** A local time, `HH:MM`. */
export const dayTime = z
  .string()
  .max(5, WRONG_DAY_TIME)
  .regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, WRONG_DAY_TIME);
