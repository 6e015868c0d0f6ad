import { useSyncExternalStore } from 'react';
import { read } from '../lib/api/api.ts';
import { createListeners } from '../lib/listeners.ts';
import { createPersonStore } from '../lib/session/person-store.ts';
import {
  isHeard,
  NOTHING_UNREAD,
  overrules,
  totalOf,
  type UnreadAnswer,
  type UnreadNews,
  withAnswer,
  withNews,
  withQuestion,
} from './unread-counts.ts';

const store = createPersonStore(() => NOTHING_UNREAD);
const doubts = createListeners();
/** A read that is under way has arrived by then, or has failed (`TIMEOUT_MS` in watch-topics.ts, and a second in which reads are gathered). */
const TOLD_MS = 12_000;

/** Of whoever is signed in. */
export const unread = {
  note: (news: UnreadNews): void => void store.change(store.owner(), (known) => withNews(known, news)),
  isHeard: (conversation: string, seq: number): boolean => isHeard(store.get(), conversation, seq),
  isUncertain: (): boolean => store.get().isUncertain,
  /** Calls back where an answer has come that cannot be counted on. */
  onDoubt: doubts.subscribe,
};

/** Asks the server; what is told meanwhile is counted beside the answer. */
export async function readUnread(key: string): Promise<UnreadAnswer> {
  const owner = store.owner();
  const from = store.get().sinceAsked.length;
  store.change(owner, withQuestion);
  let answer: UnreadAnswer | null = null;
  try {
    // The type of the answer is the contract's, which the service has parsed it by.
    answer = (await read(key)) as UnreadAnswer;
    return answer;
  } finally {
    // What was seen here is told within a second, or is lost: then the server is right.
    if (answer !== null && overrules(store.get(), answer)) setTimeout(doubts.tell, TOLD_MS);
    store.change(owner, (known) => withAnswer(known, from, answer));
    if (answer !== null && store.get().isUncertain) doubts.tell();
  }
}

export const unreadCount = (): number => totalOf(store.get());

export const useUnreadCount = (): number => useSyncExternalStore(store.subscribe, unreadCount);
