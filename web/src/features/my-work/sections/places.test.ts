import { expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { buildNotification } from '#test/build-notification.ts';
import { listPlaces } from './places.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 9, minute)).toISOString();
const mention = (id: string, minute: number, isRead: boolean) =>
  buildNotification({ _id: id, createdAt: at(minute), readAt: isRead ? at(59) : null });
const thread = (id: string, minute: number) => {
  const root = buildMessage(minute, { createdAt: at(minute) });
  return { _id: id, conversation: 'c'.repeat(24), root, lastReply: null, unreadCount: 0 };
};

it('unread mentions and threads are first, then the latest, and the list has an end', () => {
  const mentions = [mention('read', 50, true), mention('unread', 10, false)];
  const threads = [thread('old', 5), thread('new', 40), thread('unread-thread', 20)];
  const places = listPlaces({ mentions, threads, isUnreadThread: (root) => root === 'unread-thread' });
  expect(places.map(({ key }) => key)).toEqual(['unread-thread', 'unread', 'read', 'new', 'old']);
  const many = Array.from({ length: 20 }, (_, index) => mention(`m${index}`, index, true));
  expect(listPlaces({ mentions: many, threads, isUnreadThread: () => false })).toHaveLength(8);
});
