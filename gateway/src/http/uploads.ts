import type { IncomingMessage } from 'node:http';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';

const MULTIPART = /^multipart\/form-data\b/i;

/**
 * Finds the requests whose body is files or parts of them: of calls that take nothing else, whatever they say that they bring, and of those
 * that take JSON as well where they bring a form. Their bytes go through as they come, for as long as that takes; the service bounds both.
 */
export function createUploadFinder(
  patternOf: (route: string) => string | undefined,
): (req: IncomingMessage, route: string) => boolean {
  const calls = ALL_ENDPOINTS.map(({ endpoint }) => endpoint).filter(({ multipart, bytes }) => multipart ?? bytes);
  const takesJson = new Map(calls.map(({ method, path, body }) => [`${method} ${path}`, body !== undefined]));
  return ({ method, headers }, route) => {
    const known = takesJson.get(`${method} ${patternOf(route)}`);
    return known === false || (known === true && MULTIPART.test(headers['content-type'] ?? ''));
  };
}
