import type { Conversation } from '@atrium/proto-events/http/chat';
import { MessagesSquare } from 'lucide-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useLastReadSeq, useUnreadIn } from '#realtime/unread.ts';
import { useFileDrop } from '#ui/files/use-file-drop.ts';
import { hiddenInPrint } from '#ui/mixins.ts';
import { showError } from '#ui/overlays/toast.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { Composer } from './composer/composer.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { chooseFiles } from './files/attachment-drafts.ts';
import { PAGE_SIZE } from './log/load-messages.ts';
import { showLog } from './log/message-store.ts';
import { useMessages } from './log/sync-messages.ts';
import { PendingList } from './messages/message-item.tsx';
import { logLabel, MessageList } from './messages/message-list.tsx';
import { toRows } from './messages/message-rows.ts';
import { useJumps, useTarget } from './messages/use-linked-message.ts';
import { useOutgoing } from './sending/outgoing-messages.ts';
import { TypingLine } from './typing-line.tsx';

const JumpToDate = lazyNamed(() => import('./messages/jump-to-date.tsx'), 'JumpToDate');

/** Number of read messages loaded before the first unread one. */
const CONTEXT_MESSAGES = 10;

type Props = { conversation: Conversation; onBack: () => void; onInfo: () => void; onDelete: () => void };

/** Must be remounted for each conversation, so that no state carries over. */
export function ConversationPane({ conversation, onBack, onInfo, onDelete }: Props) {
  const currentUserId = useCurrentUser()._id;
  const readUntil = useReadUntil(conversation);
  const { target, goTo } = useTarget();
  const [isLookingForDay, setLookingForDay] = useState(false);
  const { log, error, retry, isRetrying } = useMessages(
    conversation._id,
    target?.seq ?? getDistantUnreadSeq(conversation, readUntil),
  );
  useJumps(conversation._id, target, log.isLoaded);
  useEffect(() => {
    return showLog(conversation._id);
  }, [conversation._id]);
  const pending = useOutgoing(conversation._id);
  const rows = useMemo(
    () => toRows({ log, pending, currentUserId, readUntil }),
    [log, pending, currentUserId, readUntil],
  );
  const drop = useFileDrop({
    onFiles: (files) => chooseFiles(conversation._id, files),
    onFolders: () => showError('Folders cannot be attached', 'Please choose the files inside.'),
  });
  return (
    <Pane aria-label={conversationName(conversation, currentUserId)} {...drop.handlers}>
      <ConversationHeader
        conversation={conversation}
        onBack={onBack}
        onJumpToDate={() => setLookingForDay(true)}
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
            {rows.length > 0 && <PendingList label={logLabel(conversation, currentUserId)} rows={rows} />}
          </Unloaded>
        )}
        {log.isLoaded && rows.length === 0 && <NoMessages />}
        {log.isLoaded && rows.length > 0 && (
          <MessageList conversation={conversation} log={log} rows={rows} target={target} />
        )}
      </Log>
      <Suspense fallback={null}>
        {isLookingForDay && (
          <JumpToDate conversationId={conversation._id} onFound={goTo} onClose={() => setLookingForDay(false)} />
        )}
      </Suspense>
      <Foot>
        <Composer conversation={conversation} />
        <TypingLine conversation={conversation} />
      </Foot>
      {drop.isOver && <DropHere>Drop to attach to your message</DropHere>}
    </Pane>
  );
}

/** Returns the first unread seq if it is before the newest page. */
function getDistantUnreadSeq({ lastSeq }: Conversation, readUntil: number | null): number | null {
  return readUntil !== null && lastSeq - readUntil > PAGE_SIZE - CONTEXT_MESSAGES ? readUntil + 1 : null;
}

/** Messages after this seq are marked as new: the read position at opening, or at the first unread message since. */
function useReadUntil(conversation: Conversation): number | null {
  const isUnread = useUnreadIn(conversation) > 0;
  const lastReadSeq = useLastReadSeq(conversation);
  const [mark, setMark] = useState(isUnread ? lastReadSeq : null);
  const [wasUnread, setWasUnread] = useState(isUnread);
  if (wasUnread !== isUnread) {
    setWasUnread(isUnread);
    if (isUnread) setMark(lastReadSeq);
  }
  return mark;
}

const Pane = styled.section`
  position: relative;
  display: flex;
  flex-direction: column;
  flex: 1;
  min-width: 0;
  min-height: 0;
  background: ${theme.color.ground};
  @media print {
    display: block;
  }
`;

const DropHere = styled.div`
  position: absolute;
  inset: ${theme.space[2]};
  z-index: ${theme.layer.bar};
  display: grid;
  place-items: center;
  border: 2px dashed ${theme.color.accent};
  border-radius: ${theme.radius.lg};
  background: color-mix(in srgb, ${theme.color.accentSoft} 88%, transparent);
  font: 600 ${theme.text.lg};
  color: ${theme.color.text};
  pointer-events: none;
`;

const Log = styled.div`
  position: relative;
  display: flex;
  flex-direction: column;
  flex: 1;
  min-height: 0;
  @media print {
    display: block;
  }
`;

/** Scrolls if there is little space, such as with an on-screen keyboard. */
const Unloaded = styled.div`
  display: flex;
  flex-direction: column;
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  > * {
    flex: none;
  }
`;

const Foot = styled.div`
  width: 100%;
  max-width: 828px;
  margin: 0 auto;
  padding: ${theme.space[2]} ${theme.space[6]} ${theme.space[1]};
  ${hiddenInPrint}
  ${theme.media.small} {
    padding: ${theme.space[2]} ${theme.space[3]} ${theme.space[1]};
  }
`;

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
