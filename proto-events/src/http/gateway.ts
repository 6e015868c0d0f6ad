import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { maxChars } from '../fields.ts';

const partHealth = z.object({ status: z.enum(['ok', 'degraded', 'unavailable']), latencyMs: z.number() });

/** `degraded` means some part is down; 503 is answered only when nobody could sign in (decisions, section 1). */
export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'How the parts are',
  access: 'public',
  response: z.object({ status: z.enum(['ok', 'degraded']), services: z.record(z.string(), partHealth) }),
  status: 200,
});

export const reportClientError = endpoint({
  method: 'POST',
  path: '/client-errors',
  summary: 'A fault that a browser met, for the log',
  access: 'public',
  maxBodyBytes: 51_200,
  body: z.object({
    message: z.string().check(maxChars(2000)),
    stack: z.string().check(maxChars(10_000)).optional(),
    path: z.string().check(maxChars(500)).optional(),
  }),
  status: 204,
});
