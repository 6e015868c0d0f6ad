import { useRef } from 'react';
import useSWR from 'swr';
import type { ApiError } from '#lib/api/api-error.ts';
import { messagesKey } from '#realtime/stale-queries.ts';
import { type MessageLoader, type MessageSource, messageLoader, messageSource, PAGE_SIZE } from './load-messages.ts';
import {
  hasMissedChanges,
  lastSeq,
  type MessageLog,
  withMissed,
  withNewest,
  withReceived,
  withUnloadedEnd,
} from './message-log.ts';
import { useLog } from './message-store.ts';

/** A log that is further behind than this loads the rest by scrolling. */
const FAR_BEHIND = 5 * PAGE_SIZE;
/** If there are more pages of changes than this, the loaded messages are reloaded instead. */
const MAX_CHANGED_PAGES = 5;

/** Where to open a conversation: around a seq, or at its end. */
type Opening = { at: number | null };

type Run = { isRepeatDue: boolean; promise: Promise<void> };

export type MessageSync = ReturnType<typeof createMessageSync>;

export function createMessageSync({ store, listPage, createState }: MessageSource, loader: MessageLoader) {
  const { logOf, logWriter } = store;
  const { singleFlight, loadNewest, loadAround, jumpTo } = loader;
  const open = (conversation: string, { at }: Opening) =>
    at === null ? loadNewest(conversation) : loadAround(conversation, at);

  /** Loads the current state when a conversation is opened and, without `opening`, after a reconnect. */
  async function syncAll(conversation: string, opening?: Opening): Promise<void> {
    if (logOf(conversation).isLoaded) {
      if (opening && opening.at !== null) await jumpTo(conversation, opening.at);
      // Runs before new messages are loaded, because those are read together with their changes.
      const total = await catchUpChanges(conversation);
      if (total !== null && total <= lastSeq(logOf(conversation))) return;
    }
    await catchUp(conversation, opening);
  }

  const currentRuns = createState(() => new Map<string, Run>());

  /** Loads new messages; concurrent calls are combined into one more run. */
  function catchUp(conversation: string, opening?: Opening): Promise<void> {
    const runs = currentRuns();
    const current = runs.get(conversation);
    if (current) {
      current.isRepeatDue = true;
      return current.promise;
    }
    const run: Run = { isRepeatDue: false, promise: Promise.resolve() };
    const work = async () => {
      do {
        run.isRepeatDue = false;
        if (logOf(conversation).isLoaded) await loadMissed(conversation, opening);
        else await open(conversation, opening ?? { at: null });
      } while (run.isRepeatDue);
    };
    run.promise = work().finally(() => runs.delete(conversation));
    runs.set(conversation, run);
    return run.promise;
  }

  async function loadMissed(conversation: string, opening: Opening | undefined): Promise<void> {
    const write = logWriter(conversation);
    while (!logOf(conversation).hasNewer) {
      const page = await listPage(conversation, { after: lastSeq(logOf(conversation)) });
      const isFar = page.total - lastSeq(logOf(conversation)) > FAR_BEHIND;
      if (isFar && opening) return open(conversation, opening);
      write((log) => withMissed(log, page));
      if (isFar) write((log) => withUnloadedEnd(log, page.total));
      // A log that was dropped because of a gap is reloaded when it is opened.
      if (!page.hasMore || page.data.length === 0 || !logOf(conversation).isLoaded) return;
    }
  }

  /**
   * Fetches edits and deletions, which have no new seq, since the known revision until none were announced in the
   * meantime. Returns the last seq at that time, or null if it is unknown.
   */
  async function catchUpChanges(conversation: string): Promise<number | null> {
    let total: number | null = null;
    await singleFlight(`${conversation} changed`, async () => {
      let before: number | null;
      do {
        before = logOf(conversation).revision;
        total = await loadChanged(conversation);
      } while (hasMissedChanges(logOf(conversation)) && logOf(conversation).revision !== before);
    });
    return total;
  }

  async function loadChanged(conversation: string): Promise<number | null> {
    const write = logWriter(conversation);
    for (let pages = 0; pages < MAX_CHANGED_PAGES; pages += 1) {
      const { revision } = logOf(conversation);
      if (revision === null) {
        await reloadEnd(conversation);
        return null;
      }
      const changed = await listPage(conversation, { changedAfter: revision });
      write((log) => withChanged(log, changed.data, changed.revision));
      if (!changed.hasMore) return changed.total;
    }
    await reloadAll(conversation);
    return null;
  }

  async function reloadEnd(conversation: string): Promise<void> {
    const write = logWriter(conversation);
    const page = await listPage(conversation, { before: lastSeq(logOf(conversation)) + 1 });
    write((log) => withReceived(log, page.data));
  }

  async function reloadAll(conversation: string): Promise<void> {
    const { messages, hasNewer } = logOf(conversation);
    const middle = messages[Math.floor(messages.length / 2)]?.seq;
    if (hasNewer && middle !== undefined) return loadAround(conversation, middle);
    const write = logWriter(conversation);
    const page = await listPage(conversation, {});
    write((log) => withNewest({ ...log, isLoaded: false }, page));
  }

  return { catchUp, catchUpChanges, syncAll };
}

/** Applies changes to messages in the window; later messages include their changes when they are loaded. */
function withChanged(log: MessageLog, changed: MessageLog['messages'], revision: number): MessageLog {
  const changedInLog = changed.filter(({ seq }) => seq <= lastSeq(log));
  return { ...withReceived(log, changedInLog), revision };
}

export const { catchUp, catchUpChanges, syncAll } = createMessageSync(messageSource, messageLoader);

/** Loads messages on opening and after every reconnect. A log that is not loaded opens at `openAt`, or at its end. */
export function useMessages(conversation: string, openAt: number | null) {
  const log = useLog(conversation);
  const isOpened = useRef(false);
  const load = async () => {
    await syncAll(conversation, isOpened.current ? undefined : { at: openAt });
    isOpened.current = true;
    return true as const;
  };
  const { error, mutate, isValidating } = useSWR<true, ApiError>(messagesKey(conversation), load, {
    dedupingInterval: 0,
    revalidateOnMount: true,
  });
  return { log, error: log.isLoaded ? undefined : error, retry: () => void mutate(), isRetrying: isValidating };
}
