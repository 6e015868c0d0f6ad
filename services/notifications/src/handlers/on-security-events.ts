import { type EventDefinition, type EventOf, envelope, isEventDefinition } from '@atrium/proto-events/event';
import * as audit from '@atrium/proto-events/events/audit';
import { on } from '@atrium/service-kit/messaging/subscription';
import { recordActivity } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { Store } from '../store/store.ts';

type Audit = Extract<(typeof audit)[keyof typeof audit], EventDefinition>;

const EVENTS = Object.values(audit).filter((value): value is Audit => isEventDefinition(value));

async function recordSecurity(store: Store, event: EventOf<Audit>): Promise<void> {
  const { action, userId, target } = event.data;
  const subject = target ?? { type: 'user', id: userId ?? '' };
  await recordActivity(
    store,
    { ...event, type: `security.${action}` },
    { resource: subject.type, id: subject.id, title: '' },
    event.data,
  );
}

const ownEvent = envelope.extend({ data: audit.notificationsAudit.data });

/** Stores an audit record of this service, which has no outbox. `payload` is the serialized event. */
export const recordOwnSecurity = (store: Store, payload: string): Promise<void> =>
  recordSecurity(store, ownEvent.parse(JSON.parse(payload)));

export const securityHandlers = (deps: Deps) =>
  EVENTS.map((event) => on(event, (received) => deps.store.run(() => recordSecurity(deps.store, received))));
