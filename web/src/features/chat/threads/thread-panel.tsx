import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MessagesSquare } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useListedConversation } from '#entities/conversation/use-known-conversations.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { Composer } from '../composer/composer.tsx';
import { useAttachmentDrop } from '../files/use-attachment-drop.ts';
import { threadLogId } from '../log/log-id.ts';
import { DropHere, Foot, Log, Pane, Unloaded } from '../log-layout.ts';
import { MessageList } from '../messages/message-list.tsx';
import { ReadOnlyNote } from '../read-only-note.tsx';
import { TypingLine } from '../typing-line.tsx';
import { AlsoSend } from './also-send.tsx';
import { ThreadHeader } from './thread-header.tsx';
import { useThread } from './use-thread.ts';

type Props = {
  rootId: string;
  conversations: readonly Conversation[] | undefined;
  /** The conversation next to the thread. */
  openConversation: string | null;
  onJump: (root: Message) => void;
  onClose: () => void;
};

/** Must be remounted for each thread, so that no state carries over. */
export function ThreadPanel({ rootId, conversations, openConversation, onJump, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const { root, error: threadError, retry, isRetrying, ...list } = useThread(rootId, openConversation);
  const { conversation, error: conversationError } = useListedConversation(root?.conversation ?? null, conversations);
  const logId = threadLogId(rootId);
  const name = conversation ? conversationName(conversation, currentUserId) : '';
  const drop = useAttachmentDrop(logId);
  const onKeyDown = (event: KeyboardEvent) => {
    const isHere = event.target instanceof Element && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isHere || event.defaultPrevented || isComposing(event)) return;
    event.preventDefault();
    onClose();
  };
  const error = threadError ?? conversationError;
  const isGone = error?.status === 404;
  return (
    <Panel aria-label="Thread" onKeyDown={onKeyDown} {...(conversation && !conversation.archived && drop.handlers)}>
      <ThreadHeader root={root} conversationName={name} onJump={onJump} onClose={onClose} />
      <Log>
        {error && isGone && (
          <EmptyState
            icon={<MessagesSquare />}
            title="This thread is not available"
            hint="Its conversation was deleted, or you are not a member."
          />
        )}
        {error && !isGone && (
          <ErrorState
            title="Failed to load the thread"
            detail={error.message}
            onRetry={retry}
            isRetrying={isRetrying}
          />
        )}
        {!error && !(conversation && list.log.isLoaded) && (
          <Unloaded>
            <SkeletonRows count={3} />
          </Unloaded>
        )}
        {!error && conversation && list.log.isLoaded && (
          <MessageList
            {...list}
            conversation={conversation}
            logId={logId}
            label="Messages in thread"
            lastSeq={root?.thread?.lastSeq ?? 0}
          />
        )}
      </Log>
      <Foot>
        {conversation && !isGone && <Reply conversation={conversation} rootId={rootId} />}
        <TypingLine logId={logId} />
      </Foot>
      {drop.isOver && <DropHere>Drop to attach to your reply</DropHere>}
    </Panel>
  );
}

function Reply({ conversation, rootId }: { conversation: Conversation; rootId: string }) {
  if (conversation.archived) return <ReadOnlyNote conversation={conversation} />;
  return (
    <Composer conversation={conversation} thread={rootId}>
      {conversation.abilities.post && <AlsoSend conversation={conversation} rootId={rootId} />}
    </Composer>
  );
}

const Panel = styled(Pane)`
  --log-padding: ${theme.space[4]};
  border-inline-start: 1px solid ${theme.color.line};
  ${theme.media.small} {
    --log-padding: ${theme.space[3]};
    border-inline-start: 0;
  }
`;
