import type { Change, ChatServerEvents } from '@atrium/proto-events/realtime';
import { delayed } from '../../lib/delayed-tasks.ts';
import { coalesce } from '../coalesce.ts';
import type { ChatSocket } from '../socket.ts';
import type { Unread } from './create-unread.ts';
import type { UnreadNews } from './unread-counts.ts';

/** A lively conversation tells of every message; whoever looks elsewhere needs its count no oftener than this. */
export const MESSAGES_EVERY_MS = 1_000;
/** A count may wait longer than a log that is read: asked for sooner by everybody, a slow minute of the server's would become a slower one. */
const COUNTS_SETTLE_MS = 2_000;

export type Countable = Pick<Unread, 'note' | 'isHeard' | 'isUncertain' | 'misses' | 'onDoubt'>;

type Counting = { chat: ChatSocket; me: () => string | null; unread: Countable; ask: () => void };

/** Counts what the socket says as unread. Only what it has not said, or cannot say, is asked for. */
export function countUnread({ chat, unread, me, ask }: Counting) {
  const askOnce = coalesce<null>(MESSAGES_EVERY_MS, ask);
  const settled = delayed(COUNTS_SETTLE_MS);
  const askIfStill = (isMissing: () => boolean) => settled.after(() => isMissing() && askOnce([null]));
  let isSettling = false;
  const note = (news: UnreadNews) => {
    unread.note(news);
    if (unread.isUncertain()) askOnce([null]);
    // What was said before it may come from another pod, and is counted then.
    else if (unread.misses() && !isSettling) {
      isSettling = true;
      askIfStill(() => {
        isSettling = false;
        return unread.misses();
      });
    }
  };
  // What was told while the question was on its way is not all in the answer.
  const stopDoubting = unread.onDoubt(() => askOnce([null]));
  const hint = (changes: readonly Change[]) => {
    const isMissing = () =>
      changes.some(
        ({ resource, action, id, version, from = version }) =>
          resource === 'message' && action === 'created' && ![from, version].every((seq) => unread.isHeard(id, seq)),
      );
    if (isMissing()) askIfStill(isMissing);
  };
  const events: Partial<ChatServerEvents> = {
    'message:new': ({ message: { conversation, seq, sender } }) =>
      note({ kind: sender._id === me() ? 'sent' : 'said', conversation, seq }),
    'message:read': ({ conversation, user, seq }) => {
      if (user === me()) note({ kind: 'read', conversation, seq });
    },
    'conversation:deleted': ({ conversation }) => note({ kind: 'gone', conversation }),
    'conversation:participant_removed': ({ conversation, removedUserId }) => {
      if (removedUserId === me()) note({ kind: 'gone', conversation });
    },
  };
  // The names and handlers of one record of events go together.
  const each = Object.entries(events) as [keyof ChatServerEvents, () => void][];
  for (const [name, listen] of each) chat.on(name, listen);
  const stop = () => {
    for (const [name, listen] of each) chat.off(name, listen);
    settled.stop();
    stopDoubting();
  };
  return { hint, stop };
}
