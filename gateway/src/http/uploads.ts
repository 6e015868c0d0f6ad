import type { IncomingMessage } from 'node:http';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';

const MULTIPART = /^multipart\/form-data\b/i;

/**
 * Identifies uploads: requests to upload-only endpoints, and multipart requests to endpoints that also accept JSON. Their bodies are
 * streamed; size and duration are limited by the service.
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
