import type { EventOf } from '@atrium/proto-events/event';
import {
  conversationDeleted,
  conversationUpdated,
  mentionsRemoved,
  messageChanged,
  messagesRead,
  recipientsFound,
  reminderDue,
} from '@atrium/proto-events/events/chat';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { on } from '@atrium/service-kit/messaging/subscription';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { notifyUsers, withdrawNotifications } from '../notifications/notify-users.ts';
import { filterNotWithdrawn, recordWithdrawal } from '../notifications/withdrawals.ts';
import { isTextWithdrawn, removeWithdrawnText, withdrawText } from '../notifications/withdrawn-text.ts';
import type { ReplyTarget } from '../store/records.ts';

/** The text of the message stays in chat. */
async function remind(deps: Deps, event: EventOf<typeof reminderDue>): Promise<void> {
  const { userId, conversationId, messageId, seq, rootId } = event.data;
  await notifyUsers(deps, {
    event,
    kind: event.type,
    notice: { kind: 'message_reminder', reason: 'own_request' },
    subject: { resource: 'message', id: messageId, title: '' },
    userIds: [userId],
    details: { place: toPlace({ conversationId, seq, rootId }) },
    filterConcerned: (ids) =>
      filterNotWithdrawn(deps.store, { messageId, conversationId, sentAt: event.occurredAt }, ids),
  });
}

type Place = { conversationId: string; seq: number; rootId?: string | undefined };

const toPlace = ({ conversationId, seq, rootId }: Place) => ({
  conversation: conversationId,
  seq,
  ...(rootId !== undefined && { thread: rootId }),
});

type Found = EventOf<typeof recipientsFound>;

/** Messages of a conversation or a thread are one item; a message with reactions is one of its own. */
function toSubject({ conversationId, rootId, messageId, title }: Found['data'], isReaction: boolean) {
  const place = title ?? 'a direct message';
  if (isReaction) return { resource: 'message', id: messageId, title: place };
  return rootId === undefined
    ? { resource: 'conversation', id: conversationId, title: place }
    : { resource: 'thread', id: rootId, title: place };
}

/** What a reply by email to a message is added to: in a channel, it is a reply in the thread of the message. */
function toReplyTarget({ conversationId, rootId, messageId, title }: Found['data']): ReplyTarget {
  if (rootId !== undefined) return { kind: 'thread', id: rootId };
  return title === null ? { kind: 'conversation', id: conversationId } : { kind: 'thread', id: messageId };
}

async function notifyRecipients(deps: Deps, { actorId, data }: Found): Promise<void> {
  const { messageId, seq, cause, sentAt } = data;
  // The recipients of a message with many of them are published in batches, and it may have been edited meanwhile.
  const text = data.text !== undefined && (await isTextWithdrawn(deps.store, messageId)) ? undefined : data.text;
  const active = data.recipients.filter(({ userId }) => {
    const user = deps.directory.user(userId);
    return user === undefined || isActive(user);
  });
  for (const [kind, recipients] of Map.groupBy(active, ({ kind }) => kind)) {
    const noticeOf = new Map(recipients.map(({ userId, ...notice }) => [userId, notice]));
    const isReaction = kind === 'reaction';
    await notifyUsers(deps, {
      event: { id: cause, actorId, occurredAt: sentAt },
      kind: `chat.${kind}.sent`,
      notice: (userId) => noticeOf.get(userId) ?? { kind, reason: 'conversation', level: 'none' },
      subject: toSubject(data, isReaction),
      userIds: noticeOf.keys(),
      details: {
        place: toPlace(data),
        messageId,
        ...(!isReaction && { lastSeq: seq, replyTarget: toReplyTarget(data) }),
        ...(text !== undefined && { text }),
      },
      filterConcerned: async (ids) => {
        if (data.text !== undefined) await removeWithdrawnText(deps.store, messageId);
        return filterNotWithdrawn(deps.store, data, ids);
      },
    });
  }
}

async function readMessages(
  { store, notificationPublisher }: Deps,
  event: EventOf<typeof messagesRead>,
): Promise<void> {
  const { userId, conversationId, rootId, seq } = event.data;
  const subjectId = rootId ?? conversationId;
  const filter = { personId: userId, subjectId, read: false, lastSeq: { $lte: seq } };
  await store.notifications.updateMany(filter, { $set: { read: true, readAt: new Date(event.occurredAt) } });
  await notificationPublisher.publish({ id: deterministicId(`${event.id}:read`), userIds: [userId], subjectId });
}

async function changeMessage(deps: Deps, event: EventOf<typeof messageChanged>): Promise<void> {
  if (event.data.change === undefined) await withdrawText(deps.store, { event, messageId: event.data.messageId });
  await withdrawDeleted(deps, event);
}

/** Those about other messages as well, or about a thread with other replies, stay. */
async function withdrawDeleted(deps: Deps, event: EventOf<typeof messageChanged>): Promise<void> {
  const { id, data } = event;
  const { action, messageId } = data;
  if (action !== 'deleted') return;
  await recordWithdrawal(deps.store, { event, subjectId: messageId });
  for (const filter of [
    { subjectId: messageId, resource: 'message' },
    { messageId, eventKeys: { $size: 1 } },
  ])
    await withdrawNotifications(deps, { eventId: id, subjectId: messageId, filter });
}

const withdrawMentions = (deps: Deps, { id, data }: EventOf<typeof mentionsRemoved>) =>
  withdrawNotifications(deps, {
    eventId: id,
    subjectId: data.rootId ?? data.conversationId,
    filter: {
      messageId: data.messageId,
      personId: { $in: data.userIds },
      'notice.kind': 'mention',
      eventKeys: { $size: 1 },
      read: false,
    },
  });

async function withdrawRemoved(deps: Deps, event: EventOf<typeof conversationUpdated>): Promise<void> {
  const { id, data } = event;
  const { conversationId, removedIds } = data;
  if (removedIds.length === 0) return;
  await recordWithdrawal(deps.store, { event, subjectId: conversationId, userIds: removedIds });
  const filter = { personId: { $in: removedIds }, 'place.conversation': conversationId };
  await withdrawNotifications(deps, { eventId: id, subjectId: conversationId, filter });
}

async function withdrawAll(deps: Deps, event: EventOf<typeof conversationDeleted>): Promise<void> {
  const { conversationId } = event.data;
  await recordWithdrawal(deps.store, { event, subjectId: conversationId });
  await withdrawNotifications(deps, {
    eventId: event.id,
    subjectId: conversationId,
    filter: { 'place.conversation': conversationId },
  });
}

export const chatHandlers = (deps: Deps) => [
  on(reminderDue, (event) => deps.store.run(() => remind(deps, event))),
  on(recipientsFound, (event) => deps.store.run(() => notifyRecipients(deps, event))),
  on(messagesRead, (event) => deps.store.run(() => readMessages(deps, event))),
  on(mentionsRemoved, (event) => deps.store.run(() => withdrawMentions(deps, event))),
  on(messageChanged, (event) => deps.store.run(() => changeMessage(deps, event))),
  on(conversationUpdated, (event) => deps.store.run(() => withdrawRemoved(deps, event))),
  on(conversationDeleted, (event) => deps.store.run(() => withdrawAll(deps, event))),
];
