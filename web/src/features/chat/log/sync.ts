import { resetWindow, withMissed, withNewest } from './log-window.ts';
import { hasMissedChanges, lastSeq, type MessageLog, withReceived } from './message-log.ts';
import { createOnce, PAGE, type Reading } from './message-source.ts';
import type { Windows } from './windows.ts';

/** Further behind than this, the rest is read when scrolled to. */
const FAR_BEHIND = 5 * PAGE;
/** Of more changes than so many pages of them, those that are shown are read anew. */
const MOST_CHANGED_PAGES = 5;

/** Where a conversation is opened that was not on the screen: around a seq, or at its end. */
type Opening = { at: number | null };

type Run = { again: boolean; done: Promise<void> };

export type Sync = ReturnType<typeof createSync>;

/** Brings logs up to date with the server. */
export function createSync({ logs, listPage, personal }: Reading, { jumpTo, loadAround, loadNewest }: Windows) {
  const once = createOnce(personal);
  const open = (conversation: string, { at }: Opening) =>
    at === null ? loadNewest(conversation) : loadAround(conversation, at);

  /** Asks for what came after the last message known without a hole, until there is no more. Who reads on where they are is left there. */
  async function loadMissed(conversation: string, opening: Opening | undefined): Promise<void> {
    const write = logs.writer(conversation);
    while (!logs.of(conversation).hasNewer) {
      const page = await listPage(conversation, { after: lastSeq(logs.of(conversation)) });
      const isFar = page.total - lastSeq(logs.of(conversation)) > FAR_BEHIND;
      if (isFar && opening) return open(conversation, opening);
      write((log) => withMissed(log, page));
      if (isFar) write((log) => resetWindow(log, page.total));
      // One that was left meanwhile with a gap is let go of, and read anew when it is opened.
      if (!page.hasMore || page.data.length === 0 || !logs.of(conversation).isLoaded) return;
    }
  }

  /**
   * What was edited or deleted meanwhile has no new seq: it is asked for by the revision that is known. Answers the last seq that there was
   * then; null where that is not known.
   */
  async function loadChanged(conversation: string): Promise<number | null> {
    const write = logs.writer(conversation);
    for (let pages = 0; pages < MOST_CHANGED_PAGES; pages += 1) {
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

  /** Begins anew where the window is. */
  async function reloadAll(conversation: string): Promise<void> {
    const { messages, hasNewer } = logs.of(conversation);
    const middle = messages[Math.floor(messages.length / 2)]?.seq;
    if (hasNewer && middle !== undefined) return loadAround(conversation, middle);
    const write = logs.writer(conversation);
    const page = await listPage(conversation, {});
    write((log) => withNewest({ ...log, isLoaded: false }, page));
  }

  const underWay = personal(() => new Map<string, Run>());

  /** Catches up; calls that come meanwhile are folded into one more round. */
  function catchUp(conversation: string, opening?: Opening): Promise<void> {
    const runs = underWay();
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

  /** Asks for the changes since the revision that is known, and again for those that were told of meanwhile. Answers as `loadChanged`. */
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

  /** For opening a conversation and, without that, after a lost connection: everything as it is now. */
  async function bringUpToDate(conversation: string, opening?: Opening): Promise<true> {
    if (logs.of(conversation).isLoaded) {
      if (opening && opening.at !== null) await jumpTo(conversation, opening.at);
      // Before what was said meanwhile, which is read with the changes of it.
      const total = await catchUpChanges(conversation);
      if (total !== null && total <= lastSeq(logs.of(conversation))) return true;
    }
    await catchUp(conversation, opening);
    return true;
  }
  return { catchUp, catchUpChanges, bringUpToDate };
}

/** Messages behind the last are read with their changes when they are. */
function withChanged(log: MessageLog, changed: MessageLog['messages'], revision: number | undefined): MessageLog {
  const known = changed.filter(({ seq }) => seq <= lastSeq(log));
  return { ...withReceived(log, known), revision: revision ?? log.revision };
}
