import type { createUserScopedStore } from '../../lib/session/user-scoped-store.ts';
import {
  conflictsWith,
  isHeard,
  misses,
  totalOf,
  type UnreadAnswer,
  type UnreadCounts,
  type UnreadNews,
  withAnswer,
  withNews,
  withQuestion,
} from './unread-counts.ts';

type Store = Pick<ReturnType<typeof createUserScopedStore<UnreadCounts>>, 'owner' | 'get' | 'change'>;
type Doubts = { subscribe: (listener: () => void) => () => void; tell: () => void };

/** A read that is under way has arrived by then, or has failed (`TIMEOUT_MS` in sync-topics.ts, and a second in which reads are gathered). */
const TOLD_MS = 12_000;

export type Unread = ReturnType<typeof createUnread>;

/** What somebody has unread: what the socket says, beside the answers to the question for it. */
export function createUnread(store: Store, doubts: Doubts) {
  return {
    note: (news: UnreadNews): void => void store.change(store.owner(), (known) => withNews(known, news)),
    isHeard: (conversation: string, seq: number): boolean => isHeard(store.get(), conversation, seq),
    isUncertain: (): boolean => store.get().isUncertain,
    misses: (): boolean => misses(store.get()),
    /** Calls back where an answer has come that cannot be counted on. */
    onDoubt: doubts.subscribe,
    total: (): number => totalOf(store.get()),
    /** Asks the server, and counts what is told meanwhile beside the answer. */
    async ask(read: () => Promise<UnreadAnswer>): Promise<UnreadAnswer> {
      const owner = store.owner();
      const from = store.get().sinceAsked.length;
      store.change(owner, withQuestion);
      let answer: UnreadAnswer | null = null;
      try {
        answer = await read();
        return answer;
      } finally {
        // What was seen here is told within a second, or is lost: then the server is right.
        if (answer !== null && conflictsWith(store.get(), answer)) setTimeout(doubts.tell, TOLD_MS);
        store.change(owner, (known) => withAnswer(known, from, answer));
        if (answer !== null && store.get().isUncertain) doubts.tell();
      }
    },
  };
}
