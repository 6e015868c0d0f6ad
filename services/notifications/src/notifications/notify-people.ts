import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Subject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { UnassignedTasks } from '../store/records.ts';
import { recordNotifications } from './record-notifications.ts';

type News = {
  /** Of the event behind it: id, who caused it and when. */
  event: { id: string; actorId: string | null; occurredAt: string };
  kind: string;
  subject: Subject;
  personIds: Iterable<string>;
  /** When the meeting begins that it reminds of. */
  startsAt?: string;
  /** From which start on the dates of a series are cancelled, or not theirs any more. */
  from?: string | undefined;
  /** The user who joined or left a project. */
  aboutUserId?: string;
  tasks?: UnassignedTasks;
  /** Why something failed, as a sentence. */
  reason?: string;
  /** Other kinds that this one replaces if the same user caused them. */
  replacedKinds?: readonly string[];
};

type Needs = Pick<Deps, 'store' | 'listNews'>;

/** Tells people of something that concerns them, but never who did it themselves. Repeating it changes nothing. */
export async function notifyPeople({ store, listNews }: Needs, { event, kind, subject, ...news }: News): Promise<void> {
  const personIds = [...new Set(news.personIds)].filter((id) => id !== event.actorId);
  if (personIds.length === 0) return;
  await recordNotifications(store, {
    event,
    personIds,
    ...(news.replacedKinds && { replacedKinds: news.replacedKinds }),
    facts: {
      ...{ kind, actorId: event.actorId, resource: subject.resource, subjectId: subject.id, title: subject.title },
      ...(news.startsAt !== undefined && { startsAt: new Date(news.startsAt) }),
      ...(news.from !== undefined && { from: new Date(news.from) }),
      ...(news.aboutUserId !== undefined && { aboutUserId: news.aboutUserId }),
      ...(news.tasks && { tasks: news.tasks }),
      ...(news.reason !== undefined && { reason: news.reason }),
    },
  });
  // Also by a repeat: the one before may have ended here.
  const id = deterministicId([event.id, kind, subject.id, ...personIds].join());
  await listNews.tell({ id, personIds, about: subject.id });
}
