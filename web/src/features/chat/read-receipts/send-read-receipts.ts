import type { Conversation } from '@atrium/proto-events/http/chat';
import { coalesce } from '../../../realtime/coalesce.ts';
import type { UnreadTracker } from '../../../realtime/unread/count-unread.ts';

/** Where people talk all the time, each message is not read by an event of its own: what a person may send in a minute is bounded. */
const READS_EVERY_MS = 1_000;

type Read = { person: string; id: string; seq: number };

type Ports = {
  unread: Pick<UnreadTracker, 'record'>;
  currentUserId: () => string | null;
  /** A lost one is made good by the next, or when the conversation is opened again. */
  tell: (id: string, seq: number) => void;
};

/** Tells that somebody has read up to there. What arrives in sight is told by whoever counts it as seen, also if the room closes in that moment. */
export function createReads({ unread, currentUserId, tell }: Ports): (person: string, id: string, seq: number) => void {
  const tellReads = coalesce<Read>(READS_EVERY_MS, (reads) => {
    const latest = new Map<string, number>();
    for (const { person, id, seq } of reads)
      if (person === currentUserId()) latest.set(id, Math.max(seq, latest.get(id) ?? 0));
    for (const [id, seq] of latest) tell(id, seq);
  });
  return (person, id, seq) => {
    unread.record({ kind: 'seen', conversation: id, seq });
    tellReads([{ person, id, seq }]);
  };
}

/** Whether something in a conversation is to be marked as read once it is seen. */
export const isToBeRead = ({ lastSeq, lastReadSeq, unreadCount, lastMessage }: Conversation, me: string): boolean =>
  unreadCount > 0 || (lastSeq > lastReadSeq && lastMessage?.sender._id !== me);
