import { defineEvent } from '../event.ts';
import { securityRecord } from '../security-record.ts';

/** Defines `audit.<service>.recorded`, in the stream of the producer `audit`. */
export function defineAuditEvent<const S extends string>(service: S) {
  return defineEvent(`audit.${service}.recorded`, 1, securityRecord);
}

export const authAudit = defineAuditEvent('auth');
export const usersAudit = defineAuditEvent('users');
export const projectsAudit = defineAuditEvent('projects');
export const meetingsAudit = defineAuditEvent('meetings');
export const documentsAudit = defineAuditEvent('documents');
export const chatAudit = defineAuditEvent('chat');
export const notificationsAudit = defineAuditEvent('notifications');
