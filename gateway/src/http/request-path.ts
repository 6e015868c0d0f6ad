import type { IncomingMessage } from 'node:http';

/** The path of a request: as it was sent, for whoever it is passed on to, and as everything here decides by it. */
export type RequestPath = {
  path: string;
  /** Lower case and without a slash at the end: Express, behind us and here, makes no difference either. */
  route: string;
};

/** Longer than any path there is: an object's key of 1,024 bytes, each of them encoded. */
const MAX_PATH_LENGTH = 3_200;

/** What some server behind us might read as another path: empty and dot segments, encoded slashes, backslashes. */
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00)|\\/i;

/** Reads the path without the query; undefined when it is not one that can be routed safely. */
export function readPath({ url = '' }: IncomingMessage): RequestPath | undefined {
  const end = url.indexOf('?');
  const length = end === -1 ? url.length : end;
  if (length > MAX_PATH_LENGTH) return undefined;
  const path = url.slice(0, length);
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return undefined;
  const lower = path.toLowerCase();
  return { path, route: lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower };
}
