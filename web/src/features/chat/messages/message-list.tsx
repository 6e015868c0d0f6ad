import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { type ReactElement, Suspense, useMemo, useState } from 'react';
import { styled } from 'styled-components';
import { type CustomItemComponentProps, Virtualizer } from 'virtua';
import { conversationName } from '#entities/conversation/conversation.ts';
import { KeepMounted, useKeptRows } from '#lib/hooks/keep-mounted.ts';
import { useIsPrinting } from '#lib/hooks/use-media.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { theme } from '#ui/theme.ts';
import { listFiles } from '../files/attachment-image.tsx';
import { getRootOfLog } from '../log/log-id.ts';
import type { MessageLog } from '../log/message-log.ts';
import { addReaction } from '../reactions/pending-reactions.ts';
import { useReactionPicker } from '../reactions/use-reaction-picker.ts';
import { type Reads, useReadPosition } from '../read-receipts/use-read-position.ts';
import { useEdits } from '../sending/edits.ts';
import type { Deletion } from './delete-message-dialog.tsx';
import { JumpToLatest } from './jump-to-latest.tsx';
import { LatestMessages } from './latest-messages.tsx';
import { canDeleteMessage } from './message-menu.tsx';
import { Row } from './message-row.tsx';
import { indexOfSeq, type MessageRow } from './message-rows.ts';
import { type Target, useHighlightedMessage } from './use-linked-message.ts';
import { useLogScroll } from './use-log-scroll.ts';

const DeleteMessageDialog = lazyNamed(() => import('./delete-message-dialog.tsx'), 'DeleteMessageDialog');
const EmojiPicker = lazyNamed(() => import('../reactions/emoji-picker.tsx'), 'EmojiPicker');
const AttachmentViewer = lazyNamed(() => import('../files/attachment-viewer.tsx'), 'AttachmentViewer');

const TOP_PX = 16;

type Props = {
  conversation: Conversation;
  logId: string;
  label: string;
  log: MessageLog;
  rows: readonly MessageRow[];
  target: Target | null;
  reads: Reads;
  unreadCount: number;
  /** At opening. */
  lastSeq: number;
  /** Absent in a thread. */
  onOpenThread?: (root: string) => void;
};

export const logLabel = (conversation: Conversation, currentUserId: string): string =>
  `Messages in ${conversationName(conversation, currentUserId)}`;

export function MessageList(props: Props) {
  const { conversation, logId, label, log, rows, target, reads, unreadCount, lastSeq, onOpenThread } = props;
  const currentUser = useCurrentUser();
  const edits = useEdits(logId);
  const picker = useReactionPicker();
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const [shownFile, setShownFile] = useState<string | null>(null);
  const last = rows.at(-1);
  const lastIsMine =
    last?.kind === 'pending' || (last?.kind === 'message' && last.message.sender._id === currentUser._id);
  const scroll = useLogScroll({ logId, log, rows, lastIsMine, target });
  const readPosition = useReadPosition({
    logId,
    reads,
    log,
    viewport: scroll.viewport,
    isAtEnd: scroll.isAtEnd,
    end: lastSeq,
    sending: last?.kind === 'pending' ? last.key : null,
  });
  const highlighted = useHighlightedMessage(target, target !== null && indexOfSeq(rows, target.seq) >= 0);
  const { mountedRows, keep } = useMountedRows(rows, edits);
  const startDeletion = useStableCallback((message: Message, element: HTMLElement | null) =>
    setDeletion({ message, element, isOpen: true }),
  );
  const openThread = useStableCallback((root: string) => onOpenThread?.(root));
  const renderRow = useMemo(
    () =>
      keepElements((row) => (
        <Row
          key={row.key}
          row={row}
          logId={logId}
          picker={picker}
          isHighlighted={row.kind === 'message' && row.message.seq === highlighted}
          canDelete={'message' in row && canDeleteMessage(row.message, conversation, currentUser._id)}
          isReadOnly={conversation.archived}
          onDelete={startDeletion}
          onOpenFile={setShownFile}
          onOpenThread={getRootOfLog(logId) === null ? openThread : undefined}
        />
      )),
    [logId, picker, highlighted, conversation, currentUser._id, startDeletion, openThread],
  );
  return (
    <KeepMounted value={keep}>
      <Viewport
        key={log.windowNumber}
        ref={scroll.viewport}
        role="region"
        aria-label={label}
        tabIndex={0}
        onKeyDown={readPosition.onKeyDown}
      >
        <Spacer $isFilling={getRootOfLog(logId) === null} />
        <Column>
          <Virtualizer
            ref={scroll.list}
            item={Item}
            scrollRef={scroll.viewport}
            startMargin={TOP_PX}
            shift={scroll.isShifted}
            keepMounted={mountedRows}
            data={rows}
            onScroll={() => {
              scroll.onScroll();
              readPosition.check();
            }}
            onResize={() => {
              scroll.onResize();
              // Rows mounted by the list itself are measured here; a short log never scrolls.
              readPosition.check();
            }}
          >
            {renderRow}
          </Virtualizer>
        </Column>
        <End />
      </Viewport>
      <LatestMessages rows={log.hasNewer ? [] : rows} lastSeq={lastSeq} currentUserId={currentUser._id} />
      <MoreMessages isLoading={scroll.isLoadingMore} retry={scroll.retryLoading} />
      {!scroll.isAtEnd && <JumpToLatest unreadCount={unreadCount} log={scroll.viewport} onPress={scroll.toLatest} />}
      {picker.open && (
        <Suspense fallback={null}>
          <EmojiPicker
            anchor={picker.open.anchor}
            onPick={(emoji) => picker.open && addReaction(picker.open.message, emoji)}
            onClose={picker.close}
          />
        </Suspense>
      )}
      {shownFile !== null && <ShownFile rows={rows} shown={shownFile} onShow={setShownFile} />}
      {deletion && (
        <Suspense fallback={null}>
          <DeleteMessageDialog
            {...deletion}
            list={scroll.viewport}
            onClose={() => setDeletion({ ...deletion, isOpen: false })}
          />
        </Suspense>
      )}
    </KeepMounted>
  );
}

function MoreMessages({ isLoading, retry }: { isLoading: boolean; retry: (() => void) | undefined }) {
  return (
    <>
      {isLoading && (
        <Above>
          <Spinner label="Loading messages" />
        </Above>
      )}
      {retry && (
        <Above>
          <Button size="sm" onPress={retry}>
            Retry
          </Button>
        </Above>
      )}
    </>
  );
}

/** Returns the same element for the same row, because the list is rendered in each frame of scrolling. */
function keepElements(create: (row: MessageRow) => ReactElement): (row: MessageRow) => ReactElement {
  const elements = new WeakMap<MessageRow, ReactElement>();
  return (row) => {
    const element = elements.get(row) ?? create(row);
    elements.set(row, element);
    return element;
  };
}

/** Rows are hidden until they are measured. Unlike `visibility`, opacity does not change the styles of what is inside. */
function Item({ style: { visibility, ...style }, children, ref }: CustomItemComponentProps) {
  return (
    <div ref={ref} style={visibility ? { ...style, opacity: 0 } : style}>
      {children}
    </div>
  );
}

/** Rows stay mounted while they are edited, to keep focus, have opened a dialog, or play sound. */
function useMountedRows(rows: readonly MessageRow[], edits: ReturnType<typeof useEdits>) {
  const isPrinting = useIsPrinting();
  const [kept, keep] = useKeptRows();
  const isKept = ({ _id, attachments }: Message) =>
    edits[_id] !== undefined || kept.has(_id) || attachments.some((file) => kept.has(file._id));
  // Printing needs all rows; mounted rows keep their loaded images.
  const mountedRows = rows.flatMap((row, index) =>
    isPrinting || (row.kind === 'message' && isKept(row.message)) ? [index] : [],
  );
  return { mountedRows, keep };
}

type ShownFileProps = { rows: readonly MessageRow[]; shown: string; onShow: (file: string | null) => void };

function ShownFile({ rows, shown, onShow }: ShownFileProps) {
  const files = listFiles(rows.flatMap((row) => ('message' in row ? [row.message] : [])));
  return (
    <Suspense fallback={null}>
      <AttachmentViewer files={files} shown={shown} onShow={onShow} onClose={() => onShow(null)} />
    </Suspense>
  );
}

const Viewport = styled.div`
  display: flex;
  flex-direction: column;
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  overflow-anchor: none;
  overscroll-behavior: contain;
  @media print {
    display: block;
    overflow: visible;
  }
  &:focus-visible {
    outline: none;
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;

const Column = styled.div`
  flex: none;
  width: 100%;
  max-width: 828px;
  margin: 0 auto;
  padding: 0 var(--log-padding, ${theme.space[6]});
  ${theme.media.small} {
    padding: 0 ${theme.space[3]};
  }
  /* With a transition, as under reduced motion, the list would grow a frame too late to keep its position. */
  > div,
  > div > div {
    transition: none;
  }
  @media print {
    /* Rows positioned by their offsets cannot be split across pages. */
    > div {
      contain: none !important;
      height: auto !important;
    }
    > div > div {
      contain: none !important;
      position: static !important;
      opacity: 1 !important;
    }
  }
`;

/** Keeps the messages of a conversation at the bottom, next to the composer. */
const Spacer = styled.div<{ $isFilling: boolean }>`
  flex: ${({ $isFilling }) => ($isFilling ? 1 : 0)} 0 ${TOP_PX}px;
`;

const End = styled.div`
  flex: none;
  height: ${theme.space[3]};
`;

const Above = styled.div`
  position: absolute;
  top: ${theme.space[2]};
  inset-inline: 0;
  display: grid;
  justify-content: center;
  pointer-events: none;
  > * {
    pointer-events: auto;
  }
`;
