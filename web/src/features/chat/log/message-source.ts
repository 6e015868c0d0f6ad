import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Page } from './log-window.ts';
import type { Logs } from './logs.ts';

/** Messages loaded at once (specification, section 9). */
export const PAGE = 100;

export type Range = { before?: number; after?: number; changedAfter?: number };

/** What reads of messages need of a browser. */
export type Reading = {
  logs: Logs;
  listPage: (conversation: string, range: Range) => Promise<Page & { data: Message[]; total: number }>;
  /** State of one person, which begins anew for the next. */
  personal: <State>(begin: () => State) => () => State;
};

/** One at a time of each; whoever asks meanwhile waits for the one under way. The next person does not wait for what was asked before. */
export function createOnce(personal: Reading['personal']): (what: string, work: () => Promise<void>) => Promise<void> {
  const underWay = personal(() => new Map<string, Promise<void>>());
  return (what, work) => {
    const present = underWay();
    const known = present.get(what);
    if (known) return known;
    const done = work().finally(() => present.delete(what));
    present.set(what, done);
    return done;
  };
}
