import { listChanges } from '@atrium/web/entities/conversation/list-changes';
import { withNews, withRead, withSeen } from '@atrium/web/features/chat/conversation-news';
import type { AnswerCache } from '@atrium/web/lib/cache/answer-cache';
import type { createAskAgain } from '@atrium/web/realtime/ask-again';
import { coalesce } from '@atrium/web/realtime/coalesce';
import type { ChatSocket } from '@atrium/web/realtime/socket';
import type { Countable } from '@atrium/web/realtime/unread/count-unread';
import { initCache } from 'swr/_internal';

/** As `useMarkRead`, which knows one socket. */
const READS_EVERY_MS = 1_000;

type ChatScreen = {
  cache: AnswerCache;
  chat: ChatSocket;
  me: string;
  open: string;
  askAgain: ReturnType<typeof createAskAgain>;
  unread: Pick<Countable, 'note'>;
};

/** What Team Chat does with what its socket says: the list of conversations is changed where it stands, and what is in sight is read. */
export function followChat({ cache, chat, me, open, askAgain, unread }: ChatScreen): void {
  const made = initCache(cache);
  if (!made) throw new Error('the cache is known already');
  const lists = listChanges({ cache, mutate: made[1], askAgain });
  const read = coalesce<number>(READS_EVERY_MS, (seqs) => {
    if (chat.connected) chat.emit('message:read', { conversation: open, seq: Math.max(...seqs) }, () => undefined);
  });
  chat.on('message:new', ({ message }) => {
    const isSeen = message.conversation === open;
    lists.update(message.conversation, (known) => withNews(known, message, { me, isSeen }));
    if (!isSeen || message.sender._id === me) return;
    lists.update(open, (known) => withSeen(known, message.seq));
    unread.note({ kind: 'seen', conversation: open, seq: message.seq });
    read([message.seq]);
  });
  // Before it is asked whether that is known.
  chat.prependAny((event: string, payload: { conversation: string; user: string; seq: number }) => {
    if (event === 'message:read' && payload.user === me)
      lists.update(payload.conversation, (known) => withRead(known, payload.seq));
  });
  chat.on('conversation:new', ({ conversation }) => lists.put(conversation));
  // The app joins what is open after each connect.
  chat.on('connect', () => chat.emit('conversation:join', { conversationId: open }, () => undefined));
}
