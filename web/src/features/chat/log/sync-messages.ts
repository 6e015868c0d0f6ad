import { useRef } from 'react';
import useSWR from 'swr';
import type { ApiError } from '#lib/api/api-error.ts';
import {
  type MessageLoader,
  type MessageSource,
  messageLoader,
  messageSource,
  messagesKey,
  PAGE_SIZE,
} from './load-messages.ts';
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
  const open = (conversationId: string, { at }: Opening) =>
    at === null ? loadNewest(conversationId) : loadAround(conversationId, at);

  /** Loads the current state when a conversation is opened and, without `opening`, after a reconnect. */
  async function syncAll(conversationId: string, opening?: Opening): Promise<void> {
    if (logOf(conversationId).isLoaded) {
      if (opening && opening.at !== null) await jumpTo(conversationId, opening.at);
      // Runs before new messages are loaded, because those are read together with their changes.
      const serverLastSeq = await catchUpChanges(conversationId);
      if (serverLastSeq !== null && serverLastSeq <= lastSeq(logOf(conversationId))) return;
    }
    await catchUp(conversationId, opening);
  }

  const currentRuns = createState(() => new Map<string, Run>());

  /** Loads new messages; concurrent calls are combined into one more run. */
  function catchUp(conversationId: string, opening?: Opening): Promise<void> {
    const runs = currentRuns();
    const current = runs.get(conversationId);
    if (current) {
      current.isRepeatDue = true;
      return current.promise;
    }
    const run: Run = { isRepeatDue: false, promise: Promise.resolve() };
    const work = async () => {
      do {
        run.isRepeatDue = false;
        if (logOf(conversationId).isLoaded) await loadMissed(conversationId, opening);
        else await open(conversationId, opening ?? { at: null });
      } while (run.isRepeatDue);
    };
    run.promise = work().finally(() => runs.delete(conversationId));
    runs.set(conversationId, run);
    return run.promise;
  }

  async function loadMissed(conversationId: string, opening: Opening | undefined): Promise<void> {
    const write = logWriter(conversationId);
    while (!logOf(conversationId).hasNewer) {
      const page = await listPage(conversationId, { after: lastSeq(logOf(conversationId)) });
      const isFar = page.total - lastSeq(logOf(conversationId)) > FAR_BEHIND;
      if (isFar && opening) return open(conversationId, opening);
      write((log) => withMissed(log, page));
      if (isFar) write((log) => withUnloadedEnd(log, page.total));
      // A log that was dropped because of a gap is reloaded when it is opened.
      if (!page.hasMore || page.data.length === 0 || !logOf(conversationId).isLoaded) return;
    }
  }

  /**
   * Fetches edits and deletions, which have no new seq, since the known revision until none were announced in the
   * meantime. Returns the server's last seq at that time, or null if it is unknown.
   */
  async function catchUpChanges(conversationId: string): Promise<number | null> {
    let serverLastSeq: number | null = null;
    await singleFlight(`${conversationId} changed`, async () => {
      let before: number | null;
      do {
        before = logOf(conversationId).revision;
        serverLastSeq = await loadChanged(conversationId);
      } while (hasMissedChanges(logOf(conversationId)) && logOf(conversationId).revision !== before);
    });
    return serverLastSeq;
  }

  async function loadChanged(conversationId: string): Promise<number | null> {
    const write = logWriter(conversationId);
    for (let pages = 0; pages < MAX_CHANGED_PAGES; pages += 1) {
      const { revision } = logOf(conversationId);
      if (revision === null) {
        await reloadEnd(conversationId);
        return null;
      }
      const changed = await listPage(conversationId, { changedAfter: revision });
      write((log) => withChanged(log, changed.data, changed.revision));
      if (!changed.hasMore) return changed.total;
    }
    await reloadAll(conversationId);
    return null;
  }

  async function reloadEnd(conversationId: string): Promise<void> {
    const write = logWriter(conversationId);
    const page = await listPage(conversationId, { before: lastSeq(logOf(conversationId)) + 1 });
    write((log) => withReceived(log, page.data));
  }

  async function reloadAll(conversationId: string): Promise<void> {
    const { messages, hasNewer } = logOf(conversationId);
    const middle = messages[Math.floor(messages.length / 2)]?.seq;
    if (hasNewer && middle !== undefined) return loadAround(conversationId, middle);
    const write = logWriter(conversationId);
    const page = await listPage(conversationId, {});
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
export function useMessages(conversationId: string, openAt: number | null) {
  const log = useLog(conversationId);
  const isOpened = useRef(false);
  const load = async () => {
    await syncAll(conversationId, isOpened.current ? undefined : { at: openAt });
    isOpened.current = true;
    return true as const;
  };
  const { error, mutate, isValidating } = useSWR<true, ApiError>(messagesKey(conversationId), load, {
    dedupingInterval: 0,
    revalidateOnMount: true,
  });
  return { log, error: log.isLoaded ? undefined : error, retry: () => void mutate(), isRetrying: isValidating };
}
