import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * Something that whoever watches over a workspace wants to know: a sign-in, a guess, a refusal. It is told on a best-effort basis;
 * what must never be lost (roles, links, ended sessions) has events of its own.
 */
export const securityRecord = z.object({
  action: z
    .string()
    .max(60)
    .regex(/^[a-z-]+(?:\.[a-z-]+)+$/)
    .describe('A dotted word such as sign-in.failed'),
  outcome: z.enum(['allowed', 'refused', 'failed']),
  userId: id.nullable().describe('Whom it is about; null where nobody is known'),
  email: z.string().max(254).optional().describe('As it was given'),
  address: z
    .string()
    .max(60)
    .nullable()
    .describe('The client’s network address, or the network of several counted ones'),
  method: z.string().max(10).optional(),
  route: z.string().max(200).optional().describe('The path of the contract, without what was put in'),
  status: z.int().optional(),
  target: z.object({ type: z.string().max(40), id: z.string().max(60) }).optional(),
  sessionId: z.string().max(60).optional(),
  count: z.int().min(1).optional().describe('How often the same happened again within a minute'),
  various: z
    .array(z.enum(['userId', 'email', 'address', 'sessionId', 'method', 'route', 'status']))
    .optional()
    .describe('Fields that have several values among the counted denials, none of which is named'),
});
export type SecurityRecord = z.infer<typeof securityRecord>;

/** The event by which a service tells its security records: `audit.<service>.recorded`, in the stream of the producer `audit`. */
export function auditEventOf<const S extends string>(service: S) {
  return defineEvent(`audit.${service}.recorded`, 1, securityRecord);
}

export const authAudit = auditEventOf('auth');
export const usersAudit = auditEventOf('users');
export const projectsAudit = auditEventOf('projects');
export const meetingsAudit = auditEventOf('meetings');
export const documentsAudit = auditEventOf('documents');
export const chatAudit = auditEventOf('chat');
export const notificationsAudit = auditEventOf('notifications');
