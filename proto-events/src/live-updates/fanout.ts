import { isEventDefinition, subjectOf } from '../event.ts';
import * as audit from '../events/audit.ts';
import * as auth from './auth.ts';
import * as chat from './chat.ts';
import * as documents from './documents.ts';
import type { ExemptEvents, FanoutRow } from './live-update.ts';
import * as meetings from './meetings.ts';
import * as notifications from './notifications.ts';
import * as projects from './projects.ts';
import * as users from './users.ts';

const PRODUCER_MODULES = [users, auth, projects, meetings, documents, chat, notifications];

/**
 * Maps each event to live updates: who may receive it, which resource changed, and its tags. The rows are in one
 * module per producer. Browsers do not import these modules.
 */
export const FANOUT: readonly FanoutRow[] = PRODUCER_MODULES.flatMap((module) => module.FANOUT);

const AUDIT_EVENTS: ExemptEvents = Object.fromEntries(
  Object.values<unknown>(audit)
    .filter(isEventDefinition)
    .map((event) => [subjectOf(event), 'security records are read from the activity store']),
);

/** Why an event has no row, by subject. */
export const NOT_FANNED_OUT: ExemptEvents = Object.fromEntries(
  [AUDIT_EVENTS, ...PRODUCER_MODULES.map((module) => module.NOT_FANNED_OUT)].flatMap((reasons) =>
    Object.entries(reasons),
  ),
);
