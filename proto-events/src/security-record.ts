import { z } from 'zod';
import { id } from './fields.ts';

/**
 * A sign-in, a failed attempt, or a denial. Delivery is best effort; changes that must not be lost (roles, links, ended
 * sessions) have their own events.
 */
export const securityRecord = z.object({
  action: z
    .string()
    .max(60)
    .regex(/^[a-z-]+(?:\.[a-z-]+)+$/)
    .describe('A dotted name such as sign-in.failed'),
  outcome: z.enum(['allowed', 'denied', 'failed']),
  userId: id.nullable().describe('The user concerned; null if unknown'),
  email: z.string().max(254).optional().describe('As entered'),
  address: z
    .string()
    .max(60)
    .nullable()
    .describe('The client’s IP address, or the common network of several merged records'),
  method: z.string().max(10).optional(),
  route: z.string().max(200).optional().describe('The route of the contract, without parameter values'),
  status: z.int().optional(),
  target: z.object({ type: z.string().max(40), id: z.string().max(60) }).optional(),
  sessionId: z.string().max(60).optional(),
  count: z.int().min(1).optional().describe('How often the same occurred again within a minute'),
  various: z
    .array(z.enum(['userId', 'email', 'address', 'sessionId', 'method', 'route', 'status']))
    .optional()
    .describe('Fields omitted because their values differ among the merged denials'),
});
export type SecurityRecord = z.infer<typeof securityRecord>;
