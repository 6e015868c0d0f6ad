import type { Endpoint, RequestOf } from '@atrium/proto-events/endpoint';
import { AppError, notFound } from './app-error.ts';
import { validationError } from './validation-error.ts';

/** The parts of an HTTP request that a contract speaks of, as they arrived. `isForm`: its body is a form, which its handler reads itself. */
export type GivenRequest = { params?: unknown; query?: unknown; body?: unknown; isForm?: boolean };

/**
 * The request as the use case receives it: parsed and stripped of unknown fields. Throws `not_found` for a malformed parameter of the
 * path and `validation_failed` for everything else that does not fit.
 */
export function parseRequest<E extends Endpoint>(endpoint: E, given: GivenRequest): RequestOf<E> {
  const params = endpoint.params?.safeParse(given.params);
  if (params && !params.success) throw notFound();
  const query = endpoint.query?.safeParse(given.query);
  if (query && !query.success) throw validationError('query', query.error);
  // A change of nothing is a fault of the client; what does something may well need no words.
  if (endpoint.method === 'PATCH' && endpoint.body && given.body === undefined) throw missingBody();
  const body = given.isForm ? undefined : endpoint.body?.safeParse(given.body ?? {});
  if (body && !body.success) throw validationError('body', body.error);
  return { params: params?.data, query: query?.data, body: body?.data } as RequestOf<E>;
}

function missingBody(): AppError {
  const message = 'A JSON body is required';
  return new AppError('validation_failed', message, { messages: [message], errors: [{ path: 'body', message }] });
}
