import type { IncomingMessage } from 'node:http';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';

/** Identifies requests that are safe to send twice: safe methods (RFC 9110, section 9.2.1), and writes with an idempotency key or field. */
export function createRetryMatcher(
  patternOf: (route: string) => string | undefined,
): (req: IncomingMessage, route: string, body: Buffer | undefined) => boolean {
  const known = new Map(
    ALL_ENDPOINTS.map(({ endpoint }: { endpoint: Endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
  );
  return ({ method, headers }, route, body) => {
    if (method === 'GET' || method === 'HEAD') return true;
    const endpoint = known.get(`${method} ${patternOf(route)}`);
    if (endpoint?.idempotent && headers['idempotency-key'] !== undefined) return true;
    return endpoint?.idempotencyField !== undefined && has(body, endpoint.idempotencyField);
  };
}

function has(body: Buffer | undefined, field: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body?.toString() ?? '');
    return Object.hasOwn(Object(parsed), field) && Reflect.get(Object(parsed), field) !== null;
  } catch {
    return false;
  }
}
