import type { Endpoint } from '@atrium/proto-events/endpoint';
import type { CallInput, Route } from '../api/api.ts';
import { buildPath } from '../paths.ts';

/**
 * The SWR key of a read: its path with the query. Keys of plain reads are created here, so that `stale-queries` can match paths.
 */
export function keyOf<E extends Endpoint & { method: 'GET' }>(
  route: Route<E>,
  input: Pick<CallInput<E>, 'params' | 'query'>,
): string {
  const path = route.slice('GET '.length);
  // Contract params and queries are flat objects of strings, numbers, and booleans.
  return buildPath(
    path,
    input.params as Record<string, string> | undefined,
    input.query as Record<string, unknown> | undefined,
  );
}
