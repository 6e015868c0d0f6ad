import type { EventDefinition, EventOf } from '@atrium/proto-events/event';
import { insertOnce } from '../store/insert-once.ts';
import type { Store } from '../store/store.ts';

/** What an event is about. */
export type Subject = { resource: string; id: string; title: string };

/** What else is worth knowing of it later, such as from where. */
export type Details = Readonly<Record<string, unknown>>;

/** Records that something happened: once for each event, never changed. */
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
