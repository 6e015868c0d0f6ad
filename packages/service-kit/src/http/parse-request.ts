import type { Endpoint, RequestOf } from '@atrium/proto-events/endpoint';
import type { z } from 'zod';
import { AppError, notFound } from '../errors/app-error.ts';
import { describeIssue } from './issue-sentence.ts';

/** The unvalidated parts of an HTTP request. `isForm`: its body is a form, which its handler reads. */
export type RawRequest = { params?: unknown; query?: unknown; body?: unknown; isForm?: boolean };

/**
 * The request as the use case receives it: parsed and stripped of unknown fields. Throws `not_found` for a malformed
 * path parameter and `validation_failed` for everything else.
 */
export function parseRequest<E extends Endpoint>(endpoint: E, given: RawRequest): RequestOf<E> {
  const params = endpoint.params?.safeParse(given.params);
  if (params && !params.success) throw notFound();
  const query = endpoint.query && parseInput('query', endpoint.query, given.query);
  // A PATCH without changes is a client error; an action may have no body.
  if (endpoint.method === 'PATCH' && endpoint.body && given.body === undefined) throw missingBody();
  const body = given.isForm || !endpoint.body ? undefined : parseInput('body', endpoint.body, given.body ?? {});
  return { params: params?.data, query, body } as RequestOf<E>;
}

/** Parses a part of a request, including form fields; throws `validation_failed` with messages for people. */
export function parseInput<T extends z.ZodType>(part: 'body' | 'query', schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given, { error: describeIssue });
  if (!parsed.success) throw validationError(part, parsed.error);
  return parsed.data;
}

function missingBody(): AppError {
  const message = 'A JSON body is required';
  return new AppError('validation_failed', message, { messages: [message], errors: [{ path: 'body', message }] });
}

/** 400 with each error once: `message` lists the sentences, `errors` adds their paths. */
function validationError(part: 'body' | 'query', error: z.ZodError): AppError {
  const errors = error.issues.map((issue) => ({
    path: [part, ...issue.path].join('.'),
    message: issue.message,
  }));
  const messages = [...new Set(errors.map(({ message }) => message))];
  return new AppError('validation_failed', messages.join(', '), { messages, errors });
}
