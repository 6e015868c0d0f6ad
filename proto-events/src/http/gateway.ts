import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { maxChars } from '../fields.ts';

const partHealth = z.object({ status: z.enum(['ok', 'degraded', 'unavailable']), latencyMs: z.number() });

/** `degraded` means a dependency is down; responds 503 only if no one can sign in. */
export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'Get the health of all services',
  access: 'public',
  response: z.object({ status: z.enum(['ok', 'degraded']), services: z.record(z.string(), partHealth) }),
  status: 200,
});

export const reportClientError = endpoint({
  method: 'POST',
  path: '/client-errors',
  summary: 'Report a browser error, for the log',
  access: 'public',
  maxBodyBytes: 51_200,
  body: z.object({
    message: z.string().check(maxChars(2000)),
    stack: z.string().check(maxChars(10_000)).optional(),
    path: z.string().check(maxChars(500)).optional(),
  }),
  status: 204,
});
