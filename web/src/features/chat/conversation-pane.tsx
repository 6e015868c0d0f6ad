import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { MessagesSquare } from 'lucide-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { unread, useLastReadSeq, useReadRevision, useUnreadIn } from '#realtime/unread.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Composer } from './composer/composer.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { useAttachmentDrop } from './files/use-attachment-drop.ts';
import { PAGE_SIZE } from './log/load-messages.ts';
import { showLog } from './log/message-store.ts';
import { useMessages } from './log/sync-messages.ts';
import { DropHere, Foot, Log, Pane, Unloaded } from './log-layout.ts';
import { PendingList } from './messages/message-item.tsx';
import { logLabel, MessageList } from './messages/message-list.tsx';
import { toRows } from './messages/message-rows.ts';
import { useJumps, useTarget } from './messages/use-linked-message.ts';
import { useReadUntil } from './read-receipts/use-read-until.ts';
import { useOutgoing } from './sending/outgoing-messages.ts';
import { TypingLine } from './typing-line.tsx';

const ReadOnlyNote = lazyNamed(() => import('./read-only-note.tsx'), 'ReadOnlyNote');
const JumpToDate = lazyNamed(() => import('./messages/jump-to-date.tsx'), 'JumpToDate');

/** Number of read messages loaded before the first unread one. */
const CONTEXT_MESSAGES = 10;

type Props = {
  conversation: Conversation;
  onBack: () => void;
  onPins: () => void;
  onSearch: () => void;
  onInfo: () => void;
  onDelete: () => void;
  onOpenThread: (root: string) => void;
};

/** Must be remounted for each conversation, so that no state carries over. */
export function ConversationPane({ conversation, onBack, onPins, onSearch, onInfo, onDelete, onOpenThread }: Props) {
  const currentUserId = useCurrentUser()._id;
  const unreadCount = useUnreadIn(conversation);
  const readUntil = useReadUntil({
    unreadCount,
    lastReadSeq: useLastReadSeq(conversation),
    revision: useReadRevision(conversation),
  });
  const { target, goTo } = useTarget(conversation._id);
  const [isLookingForDay, setLookingForDay] = useState(false);
  const { log, error, retry, isRetrying } = useMessages(
    conversation._id,
    target?.seq ?? getDistantUnreadSeq(conversation, readUntil),
  );
  useJumps(conversation._id, target, log.isLoaded);
  useEffect(() => {
    return showLog(conversation._id);
  }, [conversation._id]);
  const label = logLabel(conversation, currentUserId);
  const pending = useOutgoing(conversation._id);
  const rows = useMemo(
    () => toRows({ log, pending, currentUserId, readUntil }),
    [log, pending, currentUserId, readUntil],
  );
  const drop = useAttachmentDrop(conversation._id);
  return (
    <Pane
      aria-label={conversationName(conversation, currentUserId)}
      {...(conversation.abilities.post && drop.handlers)}
    >
      <ConversationHeader
        conversation={conversation}
        onBack={onBack}
        onJumpToDate={() => setLookingForDay(true)}
        onPins={onPins}
        onSearch={onSearch}
        onInfo={onInfo}
        onDelete={onDelete}
      />
      <Log>
        {!log.isLoaded && (
          <Unloaded>
            {error ? (
              <ErrorState
                title="Failed to load messages"
                detail={error.message}
                onRetry={retry}
                isRetrying={isRetrying}
              />
            ) : (
              <SkeletonRows count={6} />
            )}
            {rows.length > 0 && <PendingList label={label} rows={rows} />}
          </Unloaded>
        )}
        {log.isLoaded && rows.length === 0 && <NoMessages />}
        {log.isLoaded && rows.length > 0 && (
          <MessageList
            conversation={conversation}
            logId={conversation._id}
            label={label}
            log={log}
            rows={rows}
            target={target}
            reads={{
              unreadCount: () => unread.countIn(conversation),
              lastReadSeq: () => unread.lastReadSeqIn(conversation),
              revision: () => unread.revisionIn(conversation),
            }}
            unreadCount={unreadCount}
            lastSeq={conversation.lastSeq}
            onOpenThread={onOpenThread}
          />
        )}
      </Log>
      <Suspense fallback={null}>
        {isLookingForDay && (
          <JumpToDate conversationId={conversation._id} onFound={goTo} onClose={() => setLookingForDay(false)} />
        )}
      </Suspense>
      <Foot>
        {conversation.abilities.post ? (
          <Composer conversation={conversation} />
        ) : (
          <Suspense fallback={null}>
            <ReadOnlyNote conversation={conversation} />
          </Suspense>
        )}
        <TypingLine logId={conversation._id} />
      </Foot>
      {drop.isOver && <DropHere>Drop to attach to your message</DropHere>}
    </Pane>
  );
}

/** Returns the first unread seq if it is before the newest page. */
function getDistantUnreadSeq({ lastSeq }: Conversation, readUntil: number | null): number | null {
  return readUntil !== null && lastSeq - readUntil > PAGE_SIZE - CONTEXT_MESSAGES ? readUntil + 1 : null;
}

function NoMessages() {
  return (
    <Center>
      <EmptyState icon={<MessagesSquare />} title="No messages yet" hint="Start the conversation!" />
    </Center>
  );
}

const Center = styled.div`
  display: grid;
  place-content: center;
  flex: 1;
`;
