import type { IncomingMessage } from 'node:http';
import type { Origin } from '@atrium/service-kit/http/client-address';
import { newId } from '@atrium/service-kit/process/new-id';
import type { RequestPath } from './request-path.ts';

/** What is known of a request before anyone looks at what it asks for. */
export type RequestContext = RequestPath & {
  requestId: string;
  origin: Origin;
  /** Whose token it shows, once that has been looked at. */
  userId?: string;
};

const SANE_ID = /^[\w.-]{8,64}$/;

/** The caller's request id where it is a sane one, else a new one (decisions, section 1). */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : newId();
}

/** Headers that concern one connection only (RFC 9110, 7.6.1), and those that a caller could pretend with. */
const NOT_FORWARDED = [
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  // What happens here begins here: a stranger chooses neither our traces nor which of them are kept.
  'traceparent',
  'tracestate',
  'baggage',
  'x-real-ip',
  'x-forwarded-port',
  'x-forwarded-server',
  // Node has answered "100 Continue" itself by now.
  'expect',
] as const;

/**
 * Rewrites the headers for the next hop: the request id, the one address we know the request to come from, and nothing that
 * belongs to the connection it came on.
 */
export function prepareHeaders(req: IncomingMessage, { requestId, origin }: RequestContext): void {
  const { headers } = req;
  for (const token of connectionTokens(headers.connection)) delete headers[token];
  for (const name of NOT_FORWARDED) {
    if (headers[name] !== undefined) delete headers[name];
  }
  delete headers.connection;
  headers['x-request-id'] = requestId;
  headers['x-forwarded-for'] = origin.address;
  headers['x-forwarded-proto'] = origin.secure ? 'https' : 'http';
  if (headers.host !== undefined) headers['x-forwarded-host'] = headers.host;
}

function connectionTokens(connection: string | undefined): string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !ESSENTIAL.has(token));
}

/** A caller may not name these away: without them the body or the caller would change on the way. */
const ESSENTIAL = new Set(['', 'close', 'keep-alive', 'host', 'content-length', 'transfer-encoding', 'authorization']);
