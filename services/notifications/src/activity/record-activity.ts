import type { EventDefinition, EventOf } from '@atrium/proto-events/event';
import { type EventHandler, on } from '@atrium/service-kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { insertOnce, type Store } from '../store/store.ts';

export type Subject = { resource: string; id: string; title: string };

/** Activity records store the user id only; names are resolved on read. */
export const userSubject = ({ userId }: { userId: string }): Subject => ({ resource: 'user', id: userId, title: '' });

export const projectSubject = ({ projectId, name }: { projectId: string; name: string }): Subject => ({
  resource: 'project',
  id: projectId,
  title: name,
});

export const meetingSubject = ({ meetingId, title }: { meetingId: string; title: string }): Subject => ({
  resource: 'meeting',
  id: meetingId,
  title,
});

export type Details = Readonly<Record<string, unknown>>;

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

type RecordedHandler<D extends EventDefinition> = {
  toSubject: (data: EventOf<D>['data']) => Subject;
  toDetails?: (data: EventOf<D>['data']) => Details;
  /** Whether to handle the event; by default, always. */
  isRecorded?: (data: EventOf<D>['data']) => boolean;
  /** Must be idempotent and resumable: handlers have no inbox. */
  sideEffect?: (deps: Deps, event: EventOf<D>) => Promise<void>;
};

/**
 * Handles an event by recording it and then running the side effect. While the store is unavailable, the event stays
 * queued.
 */
export function createRecordedHandler<D extends EventDefinition>(
  deps: Deps,
  event: D,
  { toSubject, toDetails, isRecorded = () => true, sideEffect }: RecordedHandler<D>,
): EventHandler {
  return on(event, (received) =>
    deps.store.run(async () => {
      if (!isRecorded(received.data)) return;
      await recordActivity(deps.store, received, toSubject(received.data), toDetails?.(received.data));
      await sideEffect?.(deps, received);
    }),
  );
}
