import { deterministicId } from '@atrium/service-kit/process/new-id';
import { toEventKey } from '@atrium/service-kit/process/notification-ids';
import type { DigestRecord, NotificationRecord } from '../store/records.ts';
import { anyOf, insertOnce, type Store } from '../store/store.ts';

/** Events of one kind about one item within this time of the first are merged into one unread notification. */
const MERGE_WINDOW_MS = 10 * 60_000;

/** More are not counted, because each is stored until the notification expires. */
const MAX_COUNTED_EVENTS = 100;

export type Identity = { eventId: string; userId: string; kind: string; subjectId: string };

/** Includes kind and subject, because one event may concern a user in several ways or several items. */
export const notificationId = ({ eventId, userId, kind, subjectId }: Identity): string =>
  deterministicId([eventId, userId, kind, subjectId].join());

export type NotificationFields = Omit<
  NotificationRecord,
  | '_id'
  | 'personId'
  | 'read'
  | 'readAt'
  | 'createdAt'
  | 'startedAt'
  | 'recordedAt'
  | 'eventKeys'
  | 'emailKey'
  | 'actorIds'
>;

type NotificationDraft = {
  event: { id: string; occurredAt: string };
  userIds: readonly string[];
  fields: NotificationFields;
  replacedKinds?: readonly string[] | undefined;
};

type RecordedNotifications = {
  /** The users with a new notification, or one whose earlier email was withheld. */
  notifiedIds: string[];
  /** The digests that they became part of, in this or an earlier delivery. */
  digests: Pick<DigestRecord, 'userId' | 'at'>[];
};

/** Creates a notification for each user, or merges the event into an unread one. Idempotent. */
export async function recordNotifications(store: Store, draft: NotificationDraft): Promise<RecordedNotifications> {
  const { digestAt } = draft.fields;
  const { covering, unread } = await findRelated(store, draft);
  await countEvent(store, draft, covering);
  // Starts over if some were read or withdrawn in the meantime.
  if (!(await mergeEvent(store, draft, unread))) return recordNotifications(store, draft);
  const relatedIds = new Set([...covering, ...unread].map(({ personId }) => personId));
  const newIds = draft.userIds.filter((id) => !relatedIds.has(id));
  await insertNotifications(store, draft, newIds);
  const notified = [
    // An earlier delivery may not have queued their emails.
    ...covering.filter(({ emailKey }) => emailKey === toEventKey(draft.event.id)),
    ...unread.filter(({ emailKey }) => emailKey === undefined),
  ];
  return {
    notifiedIds: [...notified.map(({ personId }) => personId), ...newIds],
    digests: toDigests([
      // A delivery that was interrupted may not have inserted it.
      ...covering,
      // The earlier one includes it; if that has just been sent, the later one does.
      ...unread,
      ...unread.map(({ personId }) => ({ personId, digestAt })),
      ...newIds.map((personId) => ({ personId, digestAt })),
    ]),
  };
}

const toDigests = (notifications: readonly { personId: string; digestAt?: Date | undefined }[]) =>
  notifications.flatMap(({ personId: userId, digestAt: at }) => (at ? [{ userId, at }] : []));

const toNotificationId = ({ event, fields }: NotificationDraft, userId: string) =>
  notificationId({ eventId: event.id, userId, kind: fields.kind, subjectId: fields.subjectId });

/**
 * Reminders are never merged, so that each can be retracted separately; nor are notifications that are not shown in the
 * app, because they cannot be read.
 */
const isMergeable = ({ startsAt, notice }: NotificationFields) =>
  startsAt === undefined && notice?.channels.app !== false;

type Related = Pick<NotificationRecord, '_id' | 'personId' | 'eventKeys' | 'emailKey' | 'digestAt'>;
const RELATED_FIELDS = {
  personId: 1,
  eventKeys: 1,
  emailKey: 1,
  digestAt: 1,
  read: 1,
  createdAt: 1,
  startedAt: 1,
} as const;

/**
 * Finds the notifications that cover the event, and the unread ones that it can be merged into. One covers the events
 * from its first to its latest, even if it has been read.
 */
async function findRelated(
  { notifications }: Store,
  draft: NotificationDraft,
): Promise<{ covering: Related[]; unread: Related[] }> {
  const { event, userIds, fields, replacedKinds = [] } = draft;
  if (!isMergeable(fields)) {
    const ids = userIds.map((userId) => toNotificationId(draft, userId));
    const filter = { subjectId: fields.subjectId, _id: anyOf(ids) };
    return { covering: await notifications.find(filter, RELATED_FIELDS).lean(), unread: [] };
  }
  const { kind, subjectId, aboutUserId, actorId, notice } = fields;
  const at = new Date(event.occurredAt);
  const earliest = new Date(at.getTime() - MERGE_WINDOW_MS);
  const related = await notifications
    .find(
      {
        subjectId,
        personId: anyOf(userIds),
        kind: anyOf([kind, ...replacedKinds]),
        createdAt: { $gte: earliest },
        ...(aboutUserId !== undefined && { aboutUserId }),
        // A mention is not merged into a comment, which the user may have chosen not to be emailed.
        ...(notice && { 'notice.kind': notice.kind }),
        ...(replacedKinds.length > 0 && { actorId }),
      },
      RELATED_FIELDS,
    )
    .lean();
  const covering = related.filter(({ startedAt = at, createdAt }) => startedAt <= at && createdAt >= at);
  const coveredIds = new Set(covering.map(({ personId }) => personId));
  const unread = related.filter(
    ({ personId, read, startedAt = at, createdAt }) =>
      !read && !coveredIds.has(personId) && startedAt >= earliest && createdAt < at,
  );
  return {
    covering: selectPerUser(covering, (known) => (isCounted(draft)(known) ? 1 : 0)),
    unread: selectPerUser(unread, ({ createdAt }) => createdAt.getTime()),
  };
}

/** An event that occurred before the first one has a notification of its own: later ones are counted in one of them. */
const selectPerUser = <R extends Related>(related: readonly R[], rank: (known: R) => number): R[] =>
  [...Map.groupBy(related, ({ personId }) => personId).values()].flatMap((ofUser) =>
    ofUser.toSorted((one, other) => rank(other) - rank(one)).slice(0, 1),
  );

const isCounted =
  ({ event }: NotificationDraft) =>
  ({ eventKeys = [] }: Related): boolean =>
    eventKeys.includes(toEventKey(event.id));

const groupByCounting = (related: readonly Related[]) =>
  Map.groupBy(related, ({ eventKeys = [] }) => eventKeys.length < MAX_COUNTED_EVENTS);

/** An update that can be repeated. Only notifications that still count events remember them. */
function toCount(
  { event, fields: { actorId, lastSeq } }: NotificationDraft,
  isCounting: boolean,
  changed?: { changed: { $each: string[] } },
) {
  const additions = {
    ...changed,
    ...(isCounting && { eventKeys: toEventKey(event.id), ...(actorId !== null && { actorIds: actorId }) }),
  };
  return {
    ...(Object.keys(additions).length > 0 && { $addToSet: additions }),
    ...(lastSeq !== undefined && { $max: { lastSeq } }),
  };
}

/** Adds an event to notifications that cover its time, unless an earlier delivery has. */
async function countEvent({ notifications }: Store, draft: NotificationDraft, covering: readonly Related[]) {
  const uncounted = covering.filter((known) => !isCounted(draft)(known));
  for (const [isCounting, group] of groupByCounting(uncounted)) {
    const update = toCount(draft, isCounting);
    const { subjectId } = draft.fields;
    await notifications.updateMany({ subjectId, _id: anyOf(group.map(({ _id }) => _id)) }, update);
  }
}

/** Those for which an email was queued, and those that need one. */
const groupByEmail = (related: readonly Related[]) => Map.groupBy(related, ({ emailKey }) => emailKey !== undefined);

/** Returns false if some of the notifications are no longer unread, or need an email since. */
async function mergeEvent(
  { notifications }: Store,
  draft: NotificationDraft,
  unread: readonly Related[],
): Promise<boolean> {
  // The first message or comment stays the one to open, because the others follow it.
  const {
    changed,
    from,
    place: _place,
    messageId: _messageId,
    replyTarget: _replyTarget,
    commentId: _commentId,
    lastSeq: _lastSeq,
    text: _text,
    digestAt,
    ...fields
  } = draft.fields;
  const createdAt = new Date(draft.event.occurredAt);
  const groups = [...groupByCounting(unread)].flatMap(([isCounting, counted]) =>
    [...groupByEmail(counted)].map(([hasEmail, group]) => ({ isCounting, hasEmail, group })),
  );
  for (const { isCounting, hasEmail, group } of groups) {
    const { matchedCount } = await notifications.updateMany(
      {
        subjectId: draft.fields.subjectId,
        _id: anyOf(group.map(({ _id }) => _id)),
        read: false,
        emailKey: { $exists: hasEmail },
      },
      {
        $set: {
          ...fields,
          createdAt,
          recordedAt: new Date(),
          ...(from !== undefined && { from }),
          ...(!hasEmail && { emailKey: toEventKey(draft.event.id) }),
        },
        ...(from === undefined && { $unset: { from: 1 } }),
        // A stream of events does not postpone the digest.
        ...(digestAt && { $min: { digestAt } }),
        ...toCount(draft, isCounting, changed && { changed: { $each: changed } }),
      },
    );
    if (matchedCount < group.length) return false;
  }
  return true;
}

async function insertNotifications(store: Store, draft: NotificationDraft, userIds: readonly string[]): Promise<void> {
  const { event, fields } = draft;
  const at = new Date(event.occurredAt);
  const initialState = {
    read: false,
    readAt: null,
    createdAt: at,
    startedAt: at,
    recordedAt: new Date(),
    eventKeys: [toEventKey(event.id)],
    emailKey: toEventKey(event.id),
    ...(fields.actorId !== null && { actorIds: [fields.actorId] }),
  };
  await insertOnce(
    store.notifications,
    userIds.map((userId) => ({ _id: toNotificationId(draft, userId), personId: userId, ...fields, ...initialState })),
  );
}
