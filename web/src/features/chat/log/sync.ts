import { resetWindow, withMissed, withNewest } from './log-window.ts';
import { hasMissedChanges, lastSeq, type MessageLog, withReceived } from './message-log.ts';
import { createOnce, type MessageReader, PAGE } from './message-source.ts';
import type { Windows } from './windows.ts';

/** Further behind than this, the rest is loaded by scrolling. */
const FAR_BEHIND = 5 * PAGE;
/** With more pages of changes than this, the shown messages are reloaded instead. */
const MAX_CHANGED_PAGES = 5;

/** Where to open a conversation: around a seq, or at its end. */
type Opening = { at: number | null };

type Run = { again: boolean; done: Promise<void> };

export type Sync = ReturnType<typeof createSync>;

export function createSync({ logs, listPage, personal }: MessageReader, { jumpTo, loadAround, loadNewest }: Windows) {
  const once = createOnce(personal);
  const open = (conversation: string, { at }: Opening) =>
    at === null ? loadNewest(conversation) : loadAround(conversation, at);

  /** Fetches the messages after the last consecutive one, unless the window is elsewhere. */
  async function loadMissed(conversation: string, opening: Opening | undefined): Promise<void> {
    const write = logs.writer(conversation);
    while (!logs.of(conversation).hasNewer) {
      const page = await listPage(conversation, { after: lastSeq(logs.of(conversation)) });
      const isFar = page.total - lastSeq(logs.of(conversation)) > FAR_BEHIND;
      if (isFar && opening) return open(conversation, opening);
      write((log) => withMissed(log, page));
      if (isFar) write((log) => resetWindow(log, page.total));
      // A log that was dropped because of a gap is reloaded when it is opened.
      if (!page.hasMore || page.data.length === 0 || !logs.of(conversation).isLoaded) return;
    }
  }

  /** Edits and deletions have no new seq, so they are fetched by revision. Returns the last seq at that time, or null if it is unknown. */
  async function loadChanged(conversation: string): Promise<number | null> {
    const write = logs.writer(conversation);
    for (let pages = 0; pages < MAX_CHANGED_PAGES; pages += 1) {
      const { revision } = logs.of(conversation);
      if (revision === null) return reloadEnd(conversation);
      const changed = await listPage(conversation, { changedAfter: revision });
      write((log) => withChanged(log, changed.data, changed.revision));
      if (!changed.hasMore) return changed.total;
    }
    await reloadAll(conversation);
    return null;
  }

  async function reloadEnd(conversation: string): Promise<null> {
    const write = logs.writer(conversation);
    const page = await listPage(conversation, { before: lastSeq(logs.of(conversation)) + 1 });
    write((log) => withReceived(log, page.data));
    return null;
  }

  /** Restarts the window in place. */
  async function reloadAll(conversation: string): Promise<void> {
    const { messages, hasNewer } = logs.of(conversation);
    const middle = messages[Math.floor(messages.length / 2)]?.seq;
    if (hasNewer && middle !== undefined) return loadAround(conversation, middle);
    const write = logs.writer(conversation);
    const page = await listPage(conversation, {});
    write((log) => withNewest({ ...log, isLoaded: false }, page));
  }

  const currentRuns = personal(() => new Map<string, Run>());

  /** Catches up; concurrent calls are combined into one more run. */
  function catchUp(conversation: string, opening?: Opening): Promise<void> {
    const runs = currentRuns();
    const present = runs.get(conversation);
    if (present) {
      present.again = true;
      return present.done;
    }
    const run: Run = { again: false, done: Promise.resolve() };
    const work = async () => {
      do {
        run.again = false;
        if (logs.of(conversation).isLoaded) await loadMissed(conversation, opening);
        else await open(conversation, opening ?? { at: null });
      } while (run.again);
    };
    run.done = work().finally(() => runs.delete(conversation));
    runs.set(conversation, run);
    return run.done;
  }

  /** Fetches changes since the known revision until none were announced in the meantime. Returns the same as `loadChanged`. */
  async function catchUpChanges(conversation: string): Promise<number | null> {
    let total: number | null = null;
    await once(`${conversation} changed`, async () => {
      let before: number | null;
      do {
        before = logs.of(conversation).revision;
        total = await loadChanged(conversation);
      } while (hasMissedChanges(logs.of(conversation)) && logs.of(conversation).revision !== before);
    });
    return total;
  }

  /** Loads the current state when a conversation is opened and, without `opening`, after a reconnect. */
  async function syncAll(conversation: string, opening?: Opening): Promise<true> {
    if (logs.of(conversation).isLoaded) {
      if (opening && opening.at !== null) await jumpTo(conversation, opening.at);
      // Before new messages, which are read together with their changes.
      const total = await catchUpChanges(conversation);
      if (total !== null && total <= lastSeq(logs.of(conversation))) return true;
    }
    await catchUp(conversation, opening);
    return true;
  }
  return { catchUp, catchUpChanges, syncAll };
}

/** Changes to messages after the window are included when those are loaded. */
function withChanged(log: MessageLog, changed: MessageLog['messages'], revision: number | undefined): MessageLog {
  const known = changed.filter(({ seq }) => seq <= lastSeq(log));
  return { ...withReceived(log, known), revision: revision ?? log.revision };
}
