import type { Endpoint, RequestOf } from '@atrium/proto-events/endpoint';
import type { z } from 'zod';
import { AppError, notFound } from '../errors/app-error.ts';

export type RawRequest = {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  /** Whether the body is a form, which the handler reads. */
  isForm?: boolean;
};

/** Throws `not_found` for a malformed path parameter and `validation_failed` for everything else. */
export function parseRequest<E extends Endpoint>(endpoint: E, request: RawRequest): RequestOf<E> {
  const params = endpoint.params?.safeParse(request.params);
  if (params && !params.success) throw notFound();
  const query = endpoint.query && parseInput('query', endpoint.query, request.query);
  // A PATCH without changes is a client error; an action may have no body.
  if (endpoint.method === 'PATCH' && endpoint.body && request.body === undefined) throw missingBody();
  const body = request.isForm || !endpoint.body ? undefined : parseInput('body', endpoint.body, request.body ?? {});
  return { params: params?.data, query, body } as RequestOf<E>;
}

export function parseInput<T extends z.ZodType>(part: 'body' | 'query', schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (!parsed.success) throw validationError(part, parsed.error);
  return parsed.data;
}

function missingBody(): AppError {
  const message = 'A JSON body is required';
  return new AppError('validation_failed', message, { messages: [message], errors: [{ path: 'body', message }] });
}

/** Returns a 400 with each error once: `message` lists the sentences, `errors` adds their paths. */
function validationError(part: 'body' | 'query', error: z.ZodError): AppError {
  const errors = error.issues.map((issue) => ({
    path: [part, ...issue.path].join('.'),
    message: issue.message,
  }));
  const messages = [...new Set(errors.map(({ message }) => message))];
  return new AppError('validation_failed', messages.join(', '), { messages, errors });
}

type Issue = Parameters<z.core.$ZodErrorMap>[0];
type OfCode<C extends Issue['code']> = Extract<Issue, { code: C }>;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  nan: 'a number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'empty',
  date: 'a date',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  datetime: 'a date and time such as 2030-01-31T09:00:00Z',
  date: 'a date such as 2030-01-31',
  time: 'a time such as 09:00',
  url: 'a web address',
  email: 'an email address',
  uuid: 'a UUID',
  guid: 'a UUID',
};

/** Replaces the validator's own wording, which is not for users; messages of the contracts take precedence. */
export function describeIssue(issue: Issue): string {
  const label = toLabel(issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue, label);
    case 'too_big':
      return `${label} ${describeBound(issue, issue.maximum, 'at most')}`;
    case 'too_small':
      return `${label} ${describeBound(issue, issue.minimum, 'at least')}`;
    case 'invalid_format':
      return FORMAT_NAMES[issue.format] ? `${label} must be ${FORMAT_NAMES[issue.format]}` : `${label} is not valid`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `${label} must be ${String(issue.values[0])}`
        : `${label} must be one of: ${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return `${label} must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `${label} has unknown fields: ${issue.keys.slice(0, 10).join(', ')}`;
    default:
      return `${label} is not valid`;
  }
}

function describeType({ expected, input }: OfCode<'invalid_type'>, label: string): string {
  if (input === undefined || input === null) return `${label} is required`;
  if (Array.isArray(input) && expected === 'string') return `${label} must be given only once`;
  return `${label} must be ${TYPE_NAMES[expected] ?? 'of another kind'}`;
}

function describeBound(
  { origin, inclusive }: Pick<OfCode<'too_big'>, 'origin' | 'inclusive'>,
  bound: number | bigint,
  limit: 'at most' | 'at least',
): string {
  const count = bound.toLocaleString('en-US');
  if (origin === 'string') return `must have ${limit} ${count} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `must have ${limit} ${count} ${bound === 1 ? 'item' : 'items'}`;
  if (origin === 'file') return `must have ${limit} ${count} bytes`;
  if (inclusive === false) return `must be ${limit === 'at most' ? 'less' : 'more'} than ${count}`;
  return `must be ${limit} ${count}`;
}

/** Turns `['body', 'teamMembers', 2]` into "Team members, item 3"; an empty path is the request itself. */
function toLabel(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string');
  if (name === undefined) return 'The request';
  const words = name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/[_-]/g, ' ')
    .trim();
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  const item = path.at(-1);
  return typeof item === 'number' ? `${label}, item ${item + 1},` : label;
}
