import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { MessageLog } from '../log/message-log.ts';
import type { Pending } from '../outbox/use-outgoing.ts';

export type MessageRow =
  /** `isNew`: what is new begins with that day, so that one line says both. */
  | { kind: 'day'; key: string; time: string; isNew: boolean }
  | { kind: 'new'; key: string }
  /** `isFollowUp`: the same person shortly after, without name and picture. */
  | { kind: 'message'; key: string; message: Message; isFollowUp: boolean }
  | { kind: 'pending'; key: string; pending: Pending; isFollowUp: boolean };

const TOGETHER_MS = 5 * 60_000;

type Given = {
  log: Pick<MessageLog, 'messages' | 'hasNewer'>;
  /** Messages on their way, in the order in which they were written. */
  pending: readonly Pending[];
  me: string;
  /** Where reading had got to when the conversation was opened; null when everything had been read. */
  readUntil: number | null;
};

/** Messages with their days, the line above what is new, and who speaks on. */
export function toRows({ log, pending: unsent, me, readUntil }: Given): MessageRow[] {
  const rows: MessageRow[] = [];
  let before: { sender: string; time: string } | undefined;
  let isMarked = readUntil === null;
  const day = (time: string) => {
    if (before && sameDay(before.time, time)) return;
    rows.push({ kind: 'day', key: `day-${new Date(time).toDateString()}`, time, isNew: false });
    before = undefined;
  };
  for (const message of log.messages) {
    day(message.createdAt);
    if (!isMarked && readUntil !== null && message.seq > readUntil && message.sender._id !== me) {
      const last = rows.at(-1);
      if (last?.kind === 'day') last.isNew = true;
      else rows.push({ kind: 'new', key: 'new' });
      isMarked = true;
      before = undefined;
    }
    rows.push({
      kind: 'message',
      key: keyOf(message),
      message,
      isFollowUp: follows(before, message.sender._id, message.createdAt),
    });
    before = { sender: message.sender._id, time: message.createdAt };
  }
  // What is on its way stands at the end of all, not at that of a window into the past.
  const arrived = new Set(log.messages.map(({ clientMessageId }) => clientMessageId));
  for (const pending of log.hasNewer ? [] : unsent) {
    if (arrived.has(pending.clientMessageId)) continue;
    day(pending.createdAt);
    const isFollowUp = follows(before, me, pending.createdAt);
    rows.push({ kind: 'pending', key: pending.clientMessageId, pending, isFollowUp });
    before = { sender: me, time: pending.createdAt };
  }
  return rows;
}

/** A message keeps the key it had on its way, so that its row stays where it is. */
const keyOf = (message: Message) => message.clientMessageId ?? message._id;

function follows(before: { sender: string; time: string } | undefined, sender: string, time: string): boolean {
  return before?.sender === sender && Date.parse(time) - Date.parse(before.time) < TOGETHER_MS;
}

const sameDay = (one: string, other: string) => new Date(one).toDateString() === new Date(other).toDateString();

/** The place of a message among the rows; -1 where it is in none. */
export const indexOfSeq = (rows: readonly MessageRow[], seq: number): number =>
  rows.findIndex((row) => row.kind === 'message' && row.message.seq === seq);

/** The place of the line above what is new. */
export const indexOfNew = (rows: readonly MessageRow[]): number =>
  rows.findIndex((row) => row.kind === 'new' || (row.kind === 'day' && row.isNew));

/** The seq of the first message from that row on. */
export function seqFrom(rows: readonly MessageRow[], index: number): number | undefined {
  const row = rows.slice(Math.max(0, index)).find(({ kind }) => kind === 'message');
  return row?.kind === 'message' ? row.message.seq : undefined;
}
