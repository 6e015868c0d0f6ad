import type { EventOf } from '@atrium/proto-events/event';
import {
  authAudit,
  chatAudit,
  documentsAudit,
  meetingsAudit,
  notificationsAudit,
  projectsAudit,
  usersAudit,
} from '@atrium/proto-events/events/audit';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { recordActivity } from './record-activity.ts';

const EVENTS = [authAudit, usersAudit, projectsAudit, meetingsAudit, documentsAudit, chatAudit, notificationsAudit];

/** Keeps who signed in or failed to, and who was refused what, from where: beside what happened, under the name of the action. */
async function recordSecurity({ store }: Deps, event: EventOf<typeof authAudit>): Promise<void> {
  const { action, userId, email = '', target } = event.data;
  const subject = target ?? { type: 'user', id: userId ?? '' };
  await recordActivity(
    store,
    { ...event, type: `security.${action}` },
    { resource: subject.type, id: subject.id, title: email },
    event.data,
  );
}

export const securityReactions = (deps: Deps) =>
  EVENTS.map((event) => on(event, (told) => deps.store.reach(() => recordSecurity(deps, told))));
