import type { EventDefinition, EventOf } from '@atrium/proto-events/event';
import { insertOnce } from '../store/insert-once.ts';
import type { Store } from '../store/store.ts';

export type Subject = { resource: string; id: string; title: string };

export type Details = Readonly<Record<string, unknown>>;

/** Records an event once; records are never changed. */
export async function recordActivity(
  store: Store,
  event: EventOf<EventDefinition>,
  subject: Subject,
  details?: Details,
): Promise<void> {
  await insertOnce(store.activities, [
    {
      _id: event.id,
      type: event.type,
      actorId: event.actorId,
      resource: subject.resource,
      subjectId: subject.id,
      title: subject.title,
      requestId: event.requestId,
      at: new Date(event.occurredAt),
      ...(details && { details }),
    },
  ]);
}
