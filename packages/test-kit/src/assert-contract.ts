import { isDeepStrictEqual } from 'node:util';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';

type Call = { service: string; method: string; path: string };
type Entry = { service: string; endpoint: Endpoint };

const isParameter = (part: string): boolean => part.startsWith(':');

/** By the path below `/api` without the query: like the router, fixed paths precede those with parameters. */
export function findCalledEndpoint<E extends Entry>(
  { service, method, path }: Call,
  entries: readonly E[],
): E | undefined {
  const segments = path.split('/');
  const fits = entries.filter((entry) => {
    const parts = entry.endpoint.path.split('/');
    if (entry.service !== service || entry.endpoint.method !== method || parts.length !== segments.length) return false;
    return parts.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));
  });
  const parameters = ({ endpoint }: E) => endpoint.path.split('/').filter(isParameter).length;
  return fits.sort((a, b) => parameters(a) - parameters(b))[0];
}

/** By zod: services serialize responses without validating strings and numbers. */
export function assertContract(call: Call, { status, body }: { status: number; body: unknown }): void {
  if (status >= 300 || typeof body !== 'object') return;
  const response = findCalledEndpoint({ ...call, path: call.path.split(/[?#]/, 1).join() }, ALL_ENDPOINTS)?.endpoint
    .response;
  if (!response) return;
  if (!isDeepStrictEqual(response.parse(body), body))
    throw new Error(`${call.method} ${call.path} returned more than its contract: ${JSON.stringify(body)}`);
}
