import type { Subject } from '../activity/record-activity.ts';
import { insertOnce } from '../store/insert-once.ts';
import type { Store } from '../store/store.ts';

type News = {
  /** Of the event behind it: id, who caused it and when. */
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  subject: Subject;
  personIds: Iterable<string>;
};

/** Tells people of something that concerns them, but never who did it themselves. Repeating it changes nothing. */
export async function notifyPeople(store: Store, { event, kind, subject, personIds }: News): Promise<void> {
  const others = [...new Set(personIds)].filter((id) => id !== event.actorId);
  await insertOnce(
    store.notifications,
    others.map((personId) => ({
      _id: `${event.id}:${personId}`,
      personId,
      kind,
      actorId: event.actorId,
      resource: subject.resource,
      subjectId: subject.id,
      title: subject.title,
      read: false,
      readAt: null,
      createdAt: new Date(event.occurredAt),
    })),
  );
}
