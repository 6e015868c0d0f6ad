import type { FollowedThread } from '@atrium/proto-events/http/chat/threads';
import { lastReplyAt } from '#entities/message/use-threads.ts';
import type { Notification } from '#entities/notification/use-notifications.ts';

/** A mention or a thread. */
export type Place = { key: string; time: string; isUnread: boolean } & (
  | { kind: 'mention'; mention: Notification }
  | { kind: 'thread'; thread: FollowedThread }
);

const MAX_PLACES = 8;

type Sources = {
  mentions: readonly Notification[];
  threads: readonly FollowedThread[];
  isUnreadThread: (root: string) => boolean;
};

/** Unread ones first, then the latest. */
export function listPlaces({ mentions, threads, isUnreadThread }: Sources): Place[] {
  const places: Place[] = [
    ...mentions.map((mention) => toMention(mention)),
    ...threads.map((thread): Place => {
      const isUnread = isUnreadThread(thread._id);
      return { kind: 'thread', thread, key: thread._id, time: lastReplyAt(thread), isUnread };
    }),
  ];
  return places.toSorted(unreadFirst).slice(0, MAX_PLACES);
}

const toMention = (mention: Notification): Place => ({
  kind: 'mention',
  mention,
  key: mention._id,
  time: mention.createdAt,
  isUnread: mention.readAt === null,
});

const unreadFirst = (a: Place, b: Place): number =>
  Number(b.isUnread) - Number(a.isUnread) || Number(a.time < b.time) - Number(a.time > b.time);
