import type { IncomingMessage } from 'node:http';
import { API_PREFIX } from '@atrium/proto-events/endpoint';
import { UNSUBSCRIBE_PATH } from '@atrium/proto-events/notices/unsubscribe-link';
import type { ClientInfo } from '@atrium/service-kit/http/client-info';
import { newId } from '@atrium/service-kit/process/new-id';

type RequestPath = {
  path: string;
  /** Lower case without a trailing slash, as Express matches it in the gateway and in the services. */
  normalizedPath: string;
};

/** Longer than any valid path: an object key of 1,024 bytes, percent-encoded. */
const MAX_PATH_LENGTH = 3_200;

/** Paths that servers may interpret differently: empty and dot segments, encoded slashes, backslashes. */
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00)|\\/i;

export function parsePath({ url = '' }: IncomingMessage): RequestPath | undefined {
  const queryStart = url.indexOf('?');
  const length = queryStart === -1 ? url.length : queryStart;
  if (length > MAX_PATH_LENGTH) return undefined;
  const path = url.slice(0, length);
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return undefined;
  const lower = path.toLowerCase();
  return { path, normalizedPath: lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower };
}

/**
 * Mail programs send one-click unsubscribe to the URL of the page that browsers open (RFC 8058, section 3.1), so these
 * requests are moved to the API.
 */
export function moveOneClickUnsubscribe(req: IncomingMessage): IncomingMessage {
  if (req.method === 'POST' && req.url?.startsWith(UNSUBSCRIBE_PATH)) req.url = `${API_PREFIX}/notifications${req.url}`;
  return req;
}

export type GatewayRequest = RequestPath & {
  requestId: string;
  client: ClientInfo;
  userId?: string;
};

const VALID_REQUEST_ID = /^[\w.-]{8,64}$/;

export function parseRequestId(req: IncomingMessage): string {
  const receivedId = req.headers['x-request-id'];
  return typeof receivedId === 'string' && VALID_REQUEST_ID.test(receivedId) ? receivedId : newId();
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and headers that a caller could forge. */
const STRIPPED_HEADERS = [
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  // External callers must not control trace ids or sampling.
  'traceparent',
  'tracestate',
  'baggage',
  'x-real-ip',
  'x-forwarded-port',
  'x-forwarded-server',
  // Node has already sent "100 Continue".
  'expect',
] as const;

export function prepareHeaders(req: IncomingMessage, { requestId, client }: GatewayRequest): void {
  const { headers } = req;
  for (const token of connectionTokens(headers.connection)) delete headers[token];
  for (const name of STRIPPED_HEADERS) {
    if (headers[name] !== undefined) delete headers[name];
  }
  delete headers.connection;
  headers['x-request-id'] = requestId;
  headers['x-forwarded-for'] = client.address;
  headers['x-forwarded-proto'] = client.secure ? 'https' : 'http';
  if (headers.host !== undefined) headers['x-forwarded-host'] = headers.host;
}

function connectionTokens(connection: string | undefined): string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !PROTECTED_HEADERS.has(token));
}

/** Callers must not mark these as hop-by-hop in `Connection`: removing them would change the body or the caller. */
const PROTECTED_HEADERS = new Set([
  '',
  'close',
  'keep-alive',
  'host',
  'content-length',
  'transfer-encoding',
  'authorization',
]);
