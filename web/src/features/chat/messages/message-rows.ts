import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { MessageLog } from '../log/message-log.ts';
import type { PendingMessage } from '../sending/outgoing-messages.ts';

export type MessageRow =
  /** A date separator; `isNew` if the day starts with the first unread message. */
  | { kind: 'day'; key: string; time: string; isNew: boolean }
  | { kind: 'new'; key: string }
  /** The message that the replies of a thread follow, and their number. */
  | { kind: 'root'; key: string; message: Message }
  | { kind: 'replies'; key: string; count: number }
  /** A follow-up is from the same sender shortly after the previous message, and shown without name and avatar. */
  | { kind: 'message'; key: string; message: Message; isFollowUp: boolean }
  | { kind: 'pending'; key: string; pending: PendingMessage; isFollowUp: boolean };

const FOLLOW_UP_MS = 5 * 60_000;

type ToRowsParams = {
  log: Pick<MessageLog, 'messages' | 'hasOlder' | 'hasNewer'>;
  pending: readonly PendingMessage[];
  currentUserId: string;
  /** The read position when the conversation was opened; null if nothing was unread. */
  readUntil: number | null;
  /** The root of a thread, once its first reply is loaded. */
  root?: Message | undefined;
};

/**
 * What a message shows depends on the one before it, so the first message of a log with older ones has no row yet: rows
 * stay the same when older messages are loaded, and what is visible stays in place.
 */
export function toRows({ log, pending: unsent, currentUserId, readUntil, root }: ToRowsParams): MessageRow[] {
  const rows: MessageRow[] = [];
  let previous: { sender: string; time: string } | undefined;
  let isMarked = readUntil === null;
  const isSameDay = createDayComparison();
  const days = new Map<string, number>();
  const addDaySeparator = (time: string) => {
    const isSame = isSameDay(time);
    if (previous && isSame) return;
    const day = new Date(time).toDateString();
    // An unsent message of an earlier day follows the messages of a later one.
    const repeats = days.get(day) ?? 0;
    days.set(day, repeats + 1);
    rows.push({ kind: 'day', key: `day-${day}${repeats > 0 ? `-${repeats}` : ''}`, time, isNew: false });
    previous = undefined;
  };
  if (root) {
    addDaySeparator(root.createdAt);
    rows.push({ kind: 'root', key: root._id, message: root });
    const count = root.thread?.replyCount ?? 0;
    if (log.messages.length > 0) rows.push({ kind: 'replies', key: 'replies', count });
    previous = { sender: '', time: root.createdAt };
  }
  const hidden = log.hasOlder ? log.messages[0] : undefined;
  if (hidden) {
    isSameDay(hidden.createdAt);
    previous = { sender: hidden.sender._id, time: hidden.createdAt };
  }
  for (const message of hidden ? log.messages.slice(1) : log.messages) {
    addDaySeparator(message.createdAt);
    if (!isMarked && readUntil !== null && message.seq > readUntil && message.sender._id !== currentUserId) {
      const last = rows.at(-1);
      if (last?.kind === 'day') last.isNew = true;
      else rows.push({ kind: 'new', key: 'new' });
      isMarked = true;
      previous = undefined;
    }
    rows.push(toMessageRow(message, isFollowUpMessage(previous, message.sender._id, message.createdAt)));
    previous = { sender: message.sender._id, time: message.createdAt };
  }
  // Pending messages are at the end of the conversation, not at the end of an older window.
  const arrivedIds = new Set(log.messages.map(({ clientMessageId }) => clientMessageId));
  for (const pending of log.hasNewer ? [] : unsent) {
    if (arrivedIds.has(pending.clientMessageId)) continue;
    addDaySeparator(pending.createdAt);
    const isFollowUp = isFollowUpMessage(previous, currentUserId, pending.createdAt);
    rows.push({ kind: 'pending', key: pending.clientMessageId, pending, isFollowUp });
    previous = { sender: currentUserId, time: pending.createdAt };
  }
  return rows;
}

const messageRows = new WeakMap<Message, MessageRow>();

/** Returns the same row for the same message, so that it is rendered once. */
function toMessageRow(message: Message, isFollowUp: boolean): MessageRow {
  const known = messageRows.get(message);
  if (known?.kind === 'message' && known.isFollowUp === isFollowUp) return known;
  const row: MessageRow = { kind: 'message', key: getRowKey(message), message, isFollowUp };
  messageRows.set(message, row);
  return row;
}

/** A message keeps the key it had while pending, so that its row stays mounted. */
const getRowKey = (message: Message) => message.clientMessageId ?? message._id;

function isFollowUpMessage(
  previous: { sender: string; time: string } | undefined,
  sender: string,
  time: string,
): boolean {
  return previous?.sender === sender && Date.parse(time) - Date.parse(previous.time) < FOLLOW_UP_MS;
}

/** Returns whether a time is on the same local day as the previous one. Calculates a day only where it changes. */
function createDayComparison(): (time: string) => boolean {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  return (time) => {
    const at = Date.parse(time);
    if (at >= start && at < end) return true;
    const day = new Date(at);
    start = day.setHours(0, 0, 0, 0);
    end = day.setDate(day.getDate() + 1);
    return false;
  };
}

export const indexOfSeq = (rows: readonly MessageRow[], seq: number): number =>
  rows.findIndex((row) => row.kind === 'message' && row.message.seq === seq);

export const indexOfNew = (rows: readonly MessageRow[]): number =>
  rows.findIndex((row) => row.kind === 'new' || (row.kind === 'day' && row.isNew));

export function seqFrom(rows: readonly MessageRow[], index: number): number | undefined {
  for (let at = Math.max(0, index); at < rows.length; at += 1) {
    const row = rows[at];
    if (row?.kind === 'message') return row.message.seq;
  }
  return undefined;
}
