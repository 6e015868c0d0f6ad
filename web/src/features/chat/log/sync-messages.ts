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

/** Where to open a log: around a seq, or at its end. */
type Opening = { at: number | null };

type Run = { isRepeatDue: boolean; promise: Promise<void> };

export type MessageSync = ReturnType<typeof createMessageSync>;

export function createMessageSync({ store, listPage, createState }: MessageSource, loader: MessageLoader) {
  const { logOf, logWriter } = store;
  const { singleFlight, loadNewest, loadAround, jumpTo } = loader;
  const open = (logId: string, { at }: Opening) => (at === null ? loadNewest(logId) : loadAround(logId, at));

  /** Loads the current state when a log is opened and, without `opening`, after a reconnect. */
  async function syncAll(logId: string, opening?: Opening): Promise<void> {
    if (logOf(logId).isLoaded) {
      if (opening && opening.at !== null) await jumpTo(logId, opening.at);
      // Runs before new messages are loaded, because those are read together with their changes.
      const serverLastSeq = await catchUpChanges(logId);
      if (serverLastSeq !== null && serverLastSeq <= lastSeq(logOf(logId))) return;
    }
    await catchUp(logId, opening);
  }

  const currentRuns = createState(() => new Map<string, Run>());

  /** Loads new messages; concurrent calls are combined into one more run. */
  function catchUp(logId: string, opening?: Opening): Promise<void> {
    const runs = currentRuns();
    const current = runs.get(logId);
    if (current) {
      current.isRepeatDue = true;
      return current.promise;
    }
    const run: Run = { isRepeatDue: false, promise: Promise.resolve() };
    const work = async () => {
      do {
        run.isRepeatDue = false;
        if (logOf(logId).isLoaded) await loadMissed(logId, opening);
        else await open(logId, opening ?? { at: null });
      } while (run.isRepeatDue);
    };
    run.promise = work().finally(() => runs.delete(logId));
    runs.set(logId, run);
    return run.promise;
  }

  async function loadMissed(logId: string, opening: Opening | undefined): Promise<void> {
    const write = logWriter(logId);
    while (!logOf(logId).hasNewer) {
      const page = await listPage(logId, { after: lastSeq(logOf(logId)) });
      const isFar = page.total - lastSeq(logOf(logId)) > FAR_BEHIND;
      if (isFar && opening) return open(logId, opening);
      write((log) => withMissed(log, page));
      if (isFar) write((log) => withUnloadedEnd(log, page.total));
      // A log that was dropped because of a gap is reloaded when it is opened.
      if (!page.hasMore || page.data.length === 0 || !logOf(logId).isLoaded) return;
    }
  }

  /**
   * Fetches edits and deletions, which have no new seq, since the known revision until none were announced in the
   * meantime. Returns the server's last seq at that time, or null if it is unknown.
   */
  async function catchUpChanges(logId: string): Promise<number | null> {
    let serverLastSeq: number | null = null;
    await singleFlight(`${logId} changed`, async () => {
      let before: number | null;
      do {
        before = logOf(logId).revision;
        serverLastSeq = await loadChanged(logId);
      } while (hasMissedChanges(logOf(logId)) && logOf(logId).revision !== before);
    });
    return serverLastSeq;
  }

  async function loadChanged(logId: string): Promise<number | null> {
    const write = logWriter(logId);
    for (let pages = 0; pages < MAX_CHANGED_PAGES; pages += 1) {
      const { revision } = logOf(logId);
      if (revision === null) {
        await reloadEnd(logId);
        return null;
      }
      const changed = await listPage(logId, { changedAfter: revision });
      write((log) => withChanged(log, changed.data, changed.revision));
      if (!changed.hasMore) return changed.total;
    }
    await reloadAll(logId);
    return null;
  }

  async function reloadEnd(logId: string): Promise<void> {
    const write = logWriter(logId);
    const page = await listPage(logId, { before: lastSeq(logOf(logId)) + 1 });
    write((log) => withReceived(log, page.data));
  }

  async function reloadAll(logId: string): Promise<void> {
    const { messages, hasNewer } = logOf(logId);
    const middle = messages[Math.floor(messages.length / 2)]?.seq;
    if (hasNewer && middle !== undefined) return loadAround(logId, middle);
    const write = logWriter(logId);
    const page = await listPage(logId, {});
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
export function useMessages(logId: string, openAt: number | null) {
  const log = useLog(logId);
  const isOpened = useRef(false);
  const load = async () => {
    await syncAll(logId, isOpened.current ? undefined : { at: openAt });
    isOpened.current = true;
    return true as const;
  };
  const { error, mutate, isValidating } = useSWR<true, ApiError>(messagesKey(logId), load, {
    dedupingInterval: 0,
    revalidateOnMount: true,
  });
  return { log, error: log.isLoaded ? undefined : error, retry: () => void mutate(), isRetrying: isValidating };
}
