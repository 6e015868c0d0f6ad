import type { IncomingMessage } from 'node:http';

/** The path as sent, for forwarding, and normalized, for routing. */
export type RequestPath = {
  path: string;
  /** Lower case without a trailing slash, as Express matches it in the gateway and in the services. */
  route: string;
};

/** Longer than any valid path: an object key of 1,024 bytes, percent-encoded. */
const MAX_PATH_LENGTH = 3_200;

/** Paths that servers may interpret differently: empty and dot segments, encoded slashes, backslashes. */
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00)|\\/i;

/** Returns undefined for paths that cannot be routed safely. */
export function readPath({ url = '' }: IncomingMessage): RequestPath | undefined {
  const end = url.indexOf('?');
  const length = end === -1 ? url.length : end;
  if (length > MAX_PATH_LENGTH) return undefined;
  const path = url.slice(0, length);
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return undefined;
  const lower = path.toLowerCase();
  return { path, route: lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower };
}
