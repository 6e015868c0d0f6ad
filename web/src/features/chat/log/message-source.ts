import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Page } from './log-window.ts';
import type { Logs } from './logs.ts';

/** Messages per page. */
export const PAGE = 100;

export type Range = { before?: number; after?: number; changedAfter?: number };

/** The dependencies of reading messages. */
export type MessageReader = {
  logs: Logs;
  listPage: (conversation: string, range: Range) => Promise<Page & { data: Message[]; total: number }>;
  /** State that is reset when another user signs in. */
  personal: <State>(begin: () => State) => () => State;
};

/** Runs one operation per key at a time; concurrent callers share it. Scoped to the signed-in user. */
export function createOnce(
  personal: MessageReader['personal'],
): (what: string, work: () => Promise<void>) => Promise<void> {
  const inFlight = personal(() => new Map<string, Promise<void>>());
  return (what, work) => {
    const present = inFlight();
    const known = present.get(what);
    if (known) return known;
    const done = work().finally(() => present.delete(what));
    present.set(what, done);
    return done;
  };
}
