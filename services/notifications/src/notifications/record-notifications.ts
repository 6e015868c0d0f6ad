import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { NotificationRecord } from '../store/records.ts';
import { insertOnce, type Store } from '../store/store.ts';

/** Events of one kind about one item within this time of the first are merged into one unread notification. */
const BURST_MS = 10 * 60_000;

type Identity = { eventId: string; personId: string; kind: string; subjectId: string };

/** One event may concern a user in several ways or about several items. */
export const notificationId = ({ eventId, personId, kind, subjectId }: Identity): string =>
  deterministicId([eventId, personId, kind, subjectId].join());

export type NotificationFacts = Omit<
  NotificationRecord,
  '_id' | 'personId' | 'read' | 'readAt' | 'createdAt' | 'startedAt'
>;

type NotificationDraft = {
  event: { id: string; occurredAt: string };
  personIds: readonly string[];
  facts: NotificationFacts;
  replacedKinds?: readonly string[] | undefined;
};

/** Creates a notification for each user, or merges the event into an unread one. Idempotent. Returns the users with a new one. */
export async function recordNotifications(store: Store, draft: NotificationDraft) {
  const { event, facts } = draft;
  const ownId = (personId: string) =>
    notificationId({ eventId: event.id, personId, kind: facts.kind, subjectId: facts.subjectId });
  const at = new Date(event.occurredAt);
  // A notification covers the events from its first to its latest, whether it has been read or not.
  const findCovered = (personIds: readonly string[]) =>
    store.notifications
      .find({ ...sameItem(draft, personIds), startedAt: { $lte: at }, createdAt: { $gte: at } }, { personId: 1 })
      .lean();
  const covered = isMerged(facts) ? await findCovered(draft.personIds) : [];
  const uncovered = without(draft.personIds, covered);
  if (isMerged(facts)) await updateUnread(store, { ...draft, personIds: uncovered }, at);
  const added = isMerged(facts) ? without(uncovered, await findCovered(uncovered)) : uncovered;
  const burst = { read: false, readAt: null, createdAt: at, startedAt: at };
  await insertOnce(
    store.notifications,
    added.map((personId) => ({ _id: ownId(personId), personId, ...facts, ...burst })),
  );
  const own = covered.filter(({ _id, personId }) => _id === ownId(personId)).map(({ personId }) => personId);
  return [...own, ...added];
}

/** Reminders are never merged, so that each can be retracted separately. */
const isMerged = ({ startsAt }: NotificationFacts) => startsAt === undefined;

const without = (personIds: readonly string[], found: readonly { personId: string }[]) => {
  const known = new Set(found.map(({ personId }) => personId));
  return personIds.filter((id) => !known.has(id));
};

function sameItem(
  { facts, replacedKinds = [] }: NotificationDraft,
  personIds: readonly string[],
): QueryFilter<NotificationRecord> {
  const { kind, subjectId, aboutUserId, actorId } = facts;
  return {
    subjectId,
    personId: { $in: [...personIds] },
    kind: { $in: [kind, ...replacedKinds] },
    ...(aboutUserId !== undefined && { aboutUserId }),
    ...(replacedKinds.length > 0 && { actorId }),
  };
}

async function updateUnread({ notifications }: Store, draft: NotificationDraft, at: Date) {
  if (draft.personIds.length === 0) return;
  const { changed, from, ...facts } = draft.facts;
  const startedAt = { $gte: new Date(at.getTime() - BURST_MS) };
  await notifications.updateMany(
    { ...sameItem(draft, draft.personIds), read: false, startedAt, createdAt: { $lt: at } },
    {
      $set: { ...facts, createdAt: at, ...(from !== undefined && { from }) },
      ...(from === undefined && { $unset: { from: 1 } }),
      ...(changed && { $addToSet: { changed: { $each: changed } } }),
    },
  );
}
