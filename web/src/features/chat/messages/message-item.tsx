import type { Message } from '@atrium/proto-events/http/chat/messages';
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { messagePath } from '#entities/message/message-path.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { copyLink } from '#ui/overlays/copy-link.ts';
import { theme } from '#ui/theme.ts';
import { fullTime } from '#ui/times/time-format.ts';
import { MessageFiles } from '../files/message-files.tsx';
import { MissingAccess } from '../files/missing-access.tsx';
import { getRootOfLog } from '../log/log-id.ts';
import { MessageContent } from '../markdown/message-content.tsx';
import { PinNote } from '../pins/pin-note.tsx';
import { MessageReactions } from '../reactions/message-reactions.tsx';
import type { ReactionPicker } from '../reactions/use-reaction-picker.ts';
import { markUnread } from '../read-receipts/mark-unread.ts';
import { ReplyOrigin } from '../replies/reply-origin.tsx';
import { ThreadSummary } from '../replies/thread-summary.tsx';
import { findStartedEdit, startEdit, useEdit } from '../sending/edits.ts';
import { type PendingMessage, useQueueEntry } from '../sending/outgoing-messages.ts';
import { OutgoingStatus } from '../sending/outgoing-status.tsx';
import { MessageEntry } from './message-entry.tsx';
import { openedBy } from './message-key.ts';
import { findActions, MessageMenu } from './message-menu.tsx';
import type { MessageRow } from './message-rows.ts';

const ForwardedMessage = lazyNamed(() => import('../forwarding/forwarded-message.tsx'), 'ForwardedMessage');
const PollCard = lazyNamed(() => import('../polls/poll-card.tsx'), 'PollCard');
const MessageCards = lazyNamed(() => import('../cards/message-cards.tsx'), 'MessageCards');
const SummaryCard = lazyNamed(() => import('../cards/summary-card.tsx'), 'SummaryCard');
const MessageTasks = lazyNamed(() => import('../cards/message-tasks.tsx'), 'MessageTasks');
const MessageEditor = lazyNamed(() => import('./message-editor.tsx'), 'MessageEditor');

type Props = {
  message: Message;
  logId: string;
  isFollowUp: boolean;
  isHighlighted: boolean;
  canDelete: boolean;
  /** Whether the channel is archived. */
  isReadOnly: boolean;
  picker: ReactionPicker;
  onDelete: (message: Message, element: HTMLElement | null) => void;
  onOpenFile: (file: string) => void;
  /** Absent in a thread. */
  onOpenThread: ((root: string) => void) | undefined;
};

export function MessageItem(props: Props) {
  const { message, logId, isFollowUp, isHighlighted, canDelete, isReadOnly, picker } = props;
  const { onDelete, onOpenFile, onOpenThread } = props;
  const { attachments } = message;
  const currentUserId = useCurrentUser()._id;
  const isMine = message.sender._id === currentUserId;
  const editing = useEdit(logId, message._id);
  const draft = message.deleted || isReadOnly ? undefined : editing.draft;
  const isEdited = draft !== undefined;
  useEffect(() => {
    if (message.deleted && editing.draft) editing.end();
  }, [message.deleted, editing]);
  const element = useRef<HTMLElement>(null);
  const hasFocus = useRef(false);
  const opener = useRef<HTMLElement>(null);
  const [isReached, setReached] = useState(false);
  useEffect(() => {
    // The focused field is unmounted, so focus moves to the menu button.
    if (!isEdited && hasFocus.current) (opener.current ?? findActions(element.current))?.focus();
    hasFocus.current = false;
  }, [isEdited]);
  const pickReaction = (anchor: HTMLElement | null) => picker.openFor(message, anchor);
  const rootId = message.thread?.root;
  const openThread = onOpenThread && message.type !== 'system' ? () => onOpenThread(rootId ?? message._id) : undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const openPicker = isReadOnly ? undefined : () => pickReaction(element.current);
    const opened = openedBy(event);
    const open = opened && { picker: openPicker, thread: openThread }[opened];
    if (message.deleted || !open) return;
    event.preventDefault();
    open();
  };
  return (
    <MessageEntry
      ref={element}
      onKeyDown={onKeyDown}
      onAltClick={() => void markUnread(message, logId)}
      isReached={isReached}
      onReach={() => setReached(true)}
      sender={message.sender}
      time={message.createdAt}
      isFollowUp={isFollowUp}
      isHighlighted={isHighlighted}
      // The root of a thread is not in the log of its replies.
      seq={getRootOfLog(logId) === message._id ? undefined : message.seq}
    >
      {onOpenThread && rootId !== undefined && (
        <ReplyOrigin rootId={rootId} conversationId={message.conversation} onOpen={onOpenThread} />
      )}
      {!message.deleted && (message.pinned || message.saved) && <PinNote message={message} />}
      {draft ? (
        <Suspense fallback={<Content message={message} />}>
          <MessageEditor
            message={message}
            draft={draft}
            isFocused={findStartedEdit(message._id) !== null}
            onWrite={editing.write}
            onDone={(saved) => {
              // Text typed since then is not saved yet.
              if (saved !== undefined && editing.getContent() !== saved) return;
              hasFocus.current = element.current?.contains(document.activeElement) === true;
              opener.current = findStartedEdit(message._id)?.opener ?? null;
              editing.end();
            }}
          />
        </Suspense>
      ) : message.poll ? (
        <Suspense fallback={<Content message={message} />}>
          <PollCard message={message} poll={message.poll} isReadOnly={isReadOnly} canClose={canDelete} />
        </Suspense>
      ) : (
        <Content message={message} />
      )}
      {message.forwarded && (
        <Suspense fallback={null}>
          <ForwardedMessage message={message} forwarded={message.forwarded} />
        </Suspense>
      )}
      {isMine && !isReadOnly && !message.deleted && !isEdited && (
        <MissingAccess conversationId={message.conversation} text={message.content} />
      )}
      {!message.deleted && attachments && <MessageFiles files={attachments} onOpen={onOpenFile} />}
      {!message.deleted && message.content.includes(location.origin) && (
        <Suspense fallback={null}>
          <MessageCards message={message} />
        </Suspense>
      )}
      {!message.deleted && message.tasks.length > 0 && (
        <Suspense fallback={null}>
          <MessageTasks ids={message.tasks} />
        </Suspense>
      )}
      {!message.deleted && <MessageReactions message={message} onAdd={isReadOnly ? undefined : pickReaction} />}
      {onOpenThread && rootId === undefined && message.thread && <ThreadSummary root={message} onOpen={onOpenThread} />}
      {!message.deleted && !isEdited && (
        <MessageMenu
          message={message}
          isReached={isReached}
          isPickerOpen={picker.open?.message._id === message._id}
          onPickReaction={pickReaction}
          isReadOnly={isReadOnly}
          onReply={isReadOnly ? undefined : openThread}
          onMarkUnread={() => void markUnread(message, logId)}
          onCopyLink={() => void copyLink(linkTo(message, logId))}
          onEdit={isMine && !isReadOnly && !message.poll ? () => startEdit(logId, message) : undefined}
          onDelete={canDelete && !isReadOnly ? () => onDelete(message, element.current) : undefined}
        />
      )}
    </MessageEntry>
  );
}

export function PendingItem({ pending, isFollowUp }: { pending: PendingMessage; isFollowUp: boolean }) {
  const currentUser = useCurrentUser();
  const isFailed = useQueueEntry(pending.clientMessageId)?.state === 'failed';
  return (
    <MessageEntry sender={currentUser} time={pending.createdAt} isFollowUp={isFollowUp} isReached>
      {pending.content && <MessageContent content={pending.content} labels={pending.labels} isPending={!isFailed} />}
      <OutgoingStatus clientMessageId={pending.clientMessageId} />
    </MessageEntry>
  );
}

function Content({ message }: { message: Message }) {
  if (message.deleted) return <Gone>This message was deleted</Gone>;
  if (!message.content && !message.editedAt) return null;
  if (message.summary)
    return (
      <Suspense fallback={null}>
        <SummaryCard summary={message.summary} />
      </Suspense>
    );
  return (
    <MessageContent content={message.content} labels={labelsOf(message.mentions)}>
      {message.editedAt && <Edited title={fullTime(message.editedAt)}>{message.content && ' '}(edited)</Edited>}
    </MessageContent>
  );
}

const Gone = styled.p`
  line-height: 22px;
  font-style: italic;
  color: ${theme.color.text3};
`;

const Edited = styled.span`
  font: ${theme.text.xs};
  color: ${theme.color.text3};
`;

function linkTo({ _id, conversation, seq }: Message, logId: string): string {
  const root = getRootOfLog(logId);
  // The root of a thread is a message of the conversation.
  return location.origin + messagePath({ conversation, seq, root: root === _id ? null : root });
}

export function PendingList({ label, rows }: { label: string; rows: readonly MessageRow[] }) {
  return (
    <PendingRows role="region" aria-label={label}>
      {rows.map((row) =>
        row.kind === 'pending' ? <PendingItem key={row.key} pending={row.pending} isFollowUp={row.isFollowUp} /> : null,
      )}
    </PendingRows>
  );
}

const PendingRows = styled.div`
  width: 100%;
  max-width: 828px;
  margin: auto auto 0;
  padding: 0 var(--log-padding, ${theme.space[6]}) ${theme.space[3]};
  ${theme.media.small} {
    padding: 0 ${theme.space[3]} ${theme.space[3]};
  }
`;
