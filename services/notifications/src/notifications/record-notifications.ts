import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { NotificationRecord } from '../store/records.ts';
import { insertOnce, type Store } from '../store/store.ts';

/** Events of one kind about one item within this time of the first are merged into one unread notification. */
const MERGE_WINDOW_MS = 10 * 60_000;

type Identity = { eventId: string; userId: string; kind: string; subjectId: string };

/** Includes kind and subject, because one event may concern a user in several ways or several items. */
export const notificationId = ({ eventId, userId, kind, subjectId }: Identity): string =>
  deterministicId([eventId, userId, kind, subjectId].join());

/** Short, because a notification may stand for hundreds of events. */
const toEventKey = (eventId: string) => deterministicId(eventId).slice(-12);

export type NotificationFields = Omit<
  NotificationRecord,
  '_id' | 'personId' | 'read' | 'readAt' | 'createdAt' | 'startedAt' | 'recordedAt' | 'eventKeys' | 'actorIds'
>;

type NotificationDraft = {
  event: { id: string; occurredAt: string };
  userIds: readonly string[];
  fields: NotificationFields;
  replacedKinds?: readonly string[] | undefined;
};

/**
 * Creates a notification for each user, or merges the event into an unread one. Returns the users with a new
 * notification. Idempotent.
 */
export async function recordNotifications(store: Store, draft: NotificationDraft) {
  const { event, fields } = draft;
  const toNotificationId = (userId: string) =>
    notificationId({ eventId: event.id, userId, kind: fields.kind, subjectId: fields.subjectId });
  const at = new Date(event.occurredAt);
  // A notification covers the events from its first to its latest, even if it has been read.
  const findCovering = (userIds: readonly string[]) =>
    store.notifications
      .find({ ...toItemFilter(draft, userIds), startedAt: { $lte: at }, createdAt: { $gte: at } }, { personId: 1 })
      .lean();
  // Covering: already includes this event. Uncovered: needs an update or a new notification.
  const coveringNotifications = isMergeable(fields) ? await findCovering(draft.userIds) : [];
  const uncoveredIds = excludeNotified(draft.userIds, coveringNotifications);
  if (coveringNotifications.length > 0)
    await store.notifications.updateMany(
      { _id: { $in: coveringNotifications.map(({ _id }) => _id) } },
      countEvent(draft),
    );
  if (isMergeable(fields)) await updateUnread(store, { ...draft, userIds: uncoveredIds }, at);
  const newlyNotifiedIds = isMergeable(fields)
    ? excludeNotified(uncoveredIds, await findCovering(uncoveredIds))
    : uncoveredIds;
  const initialState = {
    read: false,
    readAt: null,
    createdAt: at,
    startedAt: at,
    recordedAt: new Date(),
    eventKeys: [toEventKey(event.id)],
    ...(fields.actorId !== null && { actorIds: [fields.actorId] }),
  };
  await insertOnce(
    store.notifications,
    newlyNotifiedIds.map((userId) => ({ _id: toNotificationId(userId), personId: userId, ...fields, ...initialState })),
  );
  // An earlier delivery of this event created these.
  const previouslyNotifiedIds = coveringNotifications
    .filter(({ _id, personId }) => _id === toNotificationId(personId))
    .map(({ personId }) => personId);
  return [...previouslyNotifiedIds, ...newlyNotifiedIds];
}

const countEvent = ({ event, fields: { actorId, lastSeq } }: NotificationDraft) => ({
  $addToSet: { eventKeys: toEventKey(event.id), ...(actorId !== null && { actorIds: actorId }) },
  ...(lastSeq !== undefined && { $max: { lastSeq } }),
});

/**
 * Reminders are never merged, so that each can be retracted separately; nor are notifications that are not shown in the
 * app, because they cannot be read.
 */
const isMergeable = ({ startsAt, notice }: NotificationFields) =>
  startsAt === undefined && notice?.channels.app !== false;

const excludeNotified = (userIds: readonly string[], notifications: readonly { personId: string }[]) => {
  const notifiedIds = new Set(notifications.map(({ personId }) => personId));
  return userIds.filter((id) => !notifiedIds.has(id));
};

function toItemFilter(
  { fields, replacedKinds = [] }: NotificationDraft,
  userIds: readonly string[],
): QueryFilter<NotificationRecord> {
  const { kind, subjectId, aboutUserId, actorId, notice } = fields;
  return {
    subjectId,
    personId: { $in: [...userIds] },
    kind: { $in: [kind, ...replacedKinds] },
    ...(aboutUserId !== undefined && { aboutUserId }),
    // A mention is not merged into a comment, which the user may have chosen not to be emailed.
    ...(notice && { 'notice.kind': notice.kind }),
    ...(replacedKinds.length > 0 && { actorId }),
  };
}

async function updateUnread({ notifications }: Store, draft: NotificationDraft, at: Date) {
  if (draft.userIds.length === 0) return;
  // The first message stays the one to open, because the others follow it.
  const {
    changed,
    from,
    place: _place,
    messageId: _messageId,
    lastSeq: _lastSeq,
    text: _text,
    ...fields
  } = draft.fields;
  const { $addToSet, ...counted } = countEvent(draft);
  const startedAt = { $gte: new Date(at.getTime() - MERGE_WINDOW_MS) };
  await notifications.updateMany(
    { ...toItemFilter(draft, draft.userIds), read: false, startedAt, createdAt: { $lt: at } },
    {
      $set: { ...fields, createdAt: at, recordedAt: new Date(), ...(from !== undefined && { from }) },
      ...(from === undefined && { $unset: { from: 1 } }),
      $addToSet: { ...$addToSet, ...(changed && { changed: { $each: changed } }) },
      ...counted,
    },
  );
}
