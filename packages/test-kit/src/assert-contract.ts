import { isDeepStrictEqual } from 'node:util';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';

type Call = { service: string; method: string; path: string };
type Entry = { service: string; endpoint: Endpoint };

const isParameter = (segment: string): boolean => segment.startsWith(':');

/** Finds the endpoint of a path below `/api` without a query. As in the router, fixed segments take precedence. */
export function findCalledEndpoint<E extends Entry>(
  { service, method, path }: Call,
  entries: readonly E[],
): E | undefined {
  const segments = path.split('/');
  const matches = entries.filter((entry) => {
    const template = entry.endpoint.path.split('/');
    if (entry.service !== service || entry.endpoint.method !== method || template.length !== segments.length)
      return false;
    return template.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));
  });
  const countParameters = ({ endpoint }: E) => endpoint.path.split('/').filter(isParameter).length;
  return matches.sort((a, b) => countParameters(a) - countParameters(b))[0];
}

/** Validates a successful response with zod, because services serialize strings and numbers without validation. */
export function assertContract(call: Call, { status, body }: { status: number; body: unknown }): void {
  if (status >= 300 || typeof body !== 'object') return;
  const endpoint = findCalledEndpoint({ ...call, path: call.path.split(/[?#]/, 1).join() }, ALL_ENDPOINTS)?.endpoint;
  const response = (status === 202 && endpoint?.alternateResponse) || endpoint?.response;
  if (!response) return;
  if (!isDeepStrictEqual(response.parse(body), body))
    throw new Error(`${call.method} ${call.path} returned more than its contract: ${JSON.stringify(body)}`);
}
