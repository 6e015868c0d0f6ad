import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { FollowedThread } from '@atrium/proto-events/http/chat/threads';
import { isolate } from '@atrium/proto-events/text/isolate';
import { AtSign, MessagesSquare } from 'lucide-react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { CONVERSATION, THREAD } from '#entities/message/message-path.ts';
import { lastReplyAt, useThreads } from '#entities/message/use-threads.ts';
import { notificationPath, notificationSentence } from '#entities/notification/notification-labels.ts';
import { useMentions, useReadMention } from '#entities/notification/use-mentions.ts';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { unread, useUnreadInThread } from '#realtime/unread.ts';
import { Badge } from '#ui/badge.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { DividedList } from '#ui/layout/primitives.ts';
import { Card } from '#ui/pages/card.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { listPlaces } from './places.ts';
import { QuietState } from './quiet-state.tsx';
import { areLoading, FailedSource, haveLoaded, SectionRow } from './section-rows.tsx';

export function MentionsAndThreads() {
  const mentions = useMentions();
  const { query: threads } = useThreads('all');
  const { conversations } = useConversations();
  const markRead = useReadMention();
  const places = listPlaces({
    mentions: mentions.data?.data ?? [],
    threads: threads.data ?? [],
    isUnreadThread: (root) => unread.readsOf(root).unreadCount > 0,
  });
  return (
    <Card title="Mentions and threads">
      {areLoading(mentions, threads) && <SkeletonRows count={3} />}
      {haveLoaded(mentions, threads) && places.length === 0 && <NoPlaces />}
      {places.length > 0 && (
        <DividedList>
          {places.map((place) =>
            place.kind === 'mention' ? (
              <MentionRow key={place.key} mention={place.mention} onFollow={() => markRead(place.mention)} />
            ) : (
              <ThreadRow
                key={place.key}
                thread={place.thread}
                conversation={conversations?.find(({ _id }) => _id === place.thread.conversation)}
              />
            ),
          )}
        </DividedList>
      )}
      <FailedSource query={mentions} failure="Failed to load mentions" />
      <FailedSource query={threads} failure="Failed to load threads" />
    </Card>
  );
}

function NoPlaces() {
  return (
    <QuietState
      icon={<AtSign />}
      title="No mentions or threads"
      hint="Messages that mention you, and threads that you follow, will appear here."
      to="/chat"
      action="Open Team Chat"
    />
  );
}

function MentionRow({ mention, onFollow }: { mention: Notification; onFollow: () => void }) {
  const { before = '', title, after = '' } = notificationSentence(mention, useNow());
  const isUnread = mention.readAt === null;
  return (
    <SectionRow
      to={notificationPath(mention) ?? '/my-work'}
      onFollow={onFollow}
      isUnread={isUnread}
      leading={
        mention.actor ? (
          <Avatar user={mention.actor} size={32} />
        ) : (
          <IconTile $size={32} aria-hidden="true">
            <AtSign />
          </IconTile>
        )
      }
      title={
        <>
          {before} <bdi>{title}</bdi> {after}
        </>
      }
      detail={<RelativeTime time={mention.createdAt} />}
      trailing={isUnread && <UnreadDot />}
    />
  );
}

type ThreadRowProps = { thread: FollowedThread; conversation: Conversation | undefined };

function ThreadRow({ thread, conversation }: ThreadRowProps) {
  const currentUserId = useCurrentUser()._id;
  const unreadCount = useUnreadInThread(thread._id);
  const message = thread.lastReply ?? thread.root;
  const query = new URLSearchParams({ [CONVERSATION]: thread.conversation, [THREAD]: thread._id });
  const name = conversation && conversationName(conversation, currentUserId);
  return (
    <SectionRow
      to={`/chat?${query}`}
      isUnread={unreadCount > 0}
      leading={<Avatar user={message.sender} size={32} />}
      title={
        <>
          <bdi>{displayName(message.sender)}</bdi>: <bdi>{messageLine(message)}</bdi>
        </>
      }
      detail={
        <>
          <ThreadIcon aria-hidden="true" />
          {name === undefined ? 'Thread' : `Thread in ${isolate(name)}`} · <RelativeTime time={lastReplyAt(thread)} />
        </>
      }
      trailing={
        <Badge count={unreadCount} label={unreadCount === 1 ? 'unread reply' : 'unread replies'} tone="accent" />
      }
    />
  );
}

function UnreadDot() {
  return (
    <Dot>
      <VisuallyHidden>Unread</VisuallyHidden>
    </Dot>
  );
}

const Dot = styled.span`
  position: relative;
  flex: none;
  width: 8px;
  height: 8px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accent};
`;

const ThreadIcon = styled(MessagesSquare)`
  width: 13px;
  height: 13px;
  margin-inline-end: 4px;
  vertical-align: -2px;
`;
