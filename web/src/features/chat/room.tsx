import type { Conversation } from '@atrium/proto-events/http/chat';
import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '../../entities/conversation.ts';
import { useCurrentUser } from '../../lib/session/use-session.ts';
import { ErrorState } from '../../ui/pages/error-state.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';
import { Composer } from './composer/composer.tsx';
import { MessageList } from './messages/message-list.tsx';
import { toRows } from './messages/message-rows.ts';
import { showLog } from './messages/message-store.ts';
import { NoMessages } from './messages/no-messages.tsx';
import { useMarkRead } from './messages/use-mark-read.ts';
import { useMessages } from './messages/use-messages.ts';
import { RoomHeader } from './room-header.tsx';
import { TypingLine } from './typing-line.tsx';
import { useIsPageVisible } from './use-is-visible.ts';

type Props = { conversation: Conversation; onBack: () => void; onInfo: () => void; onDelete: () => void };

/** The open conversation. Mounted anew for each, so that nothing of one is ever shown in another. */
export function Room({ conversation, onBack, onInfo, onDelete }: Props) {
  const me = useCurrentUser()._id;
  const { log, error, retry, isRetrying } = useMessages(conversation._id);
  const isVisible = useIsPageVisible();
  const readUntil = useReadUntil(conversation, isVisible);
  useMarkRead(conversation, isVisible);
  useEffect(() => {
    return showLog(conversation._id);
  }, [conversation._id]);
  const rows = toRows({ log, me, readUntil });
  return (
    <Pane aria-label={conversationName(conversation, me)}>
      <RoomHeader conversation={conversation} onBack={onBack} onInfo={onInfo} onDelete={onDelete} />
      <Log>
        {error && (
          <ErrorState title="Failed to load messages" detail={error.message} onRetry={retry} isRetrying={isRetrying} />
        )}
        {!error && !log.isLoaded && <SkeletonRows count={6} />}
        {log.isLoaded && rows.length === 0 && <NoMessages />}
        {log.isLoaded && rows.length > 0 && (
          <MessageList conversation={conversation} rows={rows} hasOlder={log.hasOlder} />
        )}
      </Log>
      <Foot>
        <Composer conversation={conversation} />
        <TypingLine conversation={conversation} />
      </Foot>
    </Pane>
  );
}

/** Where reading had got to when it was opened, or when the page came back into sight with news; null when all was read. */
function useReadUntil({ unreadCount, lastReadSeq }: Conversation, isVisible: boolean): number | null {
  const [mark, setMark] = useState(unreadCount > 0 ? lastReadSeq : null);
  const [wasVisible, setWasVisible] = useState(isVisible);
  if (wasVisible !== isVisible) {
    setWasVisible(isVisible);
    if (isVisible && unreadCount > 0) setMark(lastReadSeq);
  }
  return mark;
}

const Pane = styled.section`
  display: flex;
  flex-direction: column;
  flex: 1;
  min-width: 0;
  min-height: 0;
  background: ${theme.color.ground};
`;

const Log = styled.div`
  position: relative;
  display: flex;
  flex-direction: column;
  flex: 1;
  min-height: 0;
`;

const Foot = styled.div`
  width: 100%;
  max-width: 828px;
  margin: 0 auto;
  padding: ${theme.space[2]} ${theme.space[6]} ${theme.space[1]};
  ${theme.media.small} {
    padding: ${theme.space[2]} ${theme.space[3]} calc(${theme.space[1]} + env(safe-area-inset-bottom));
  }
`;
