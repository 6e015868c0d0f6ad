import { withNewer, withNewest, withOlder, withPageAround } from './log-window.ts';
import { lastSeq } from './message-log.ts';
import { createOnce, type MessageReader, PAGE } from './message-source.ts';

export type Windows = ReturnType<typeof createWindows>;

/** Moves log windows by loading pages. */
export function createWindows({ logs, listPage, personal }: MessageReader) {
  const once = createOnce(personal);
  /** The latest window request of each conversation, so that responses to earlier ones are ignored. */
  const jumps = personal(() => new Map<string, number>());

  function startJump(conversation: string): () => boolean {
    const all = jumps();
    const jump = (all.get(conversation) ?? 0) + 1;
    all.set(conversation, jump);
    return () => all.get(conversation) === jump;
  }

  /** Opens a window at the end, or extends one that reaches it. */
  async function loadNewest(conversation: string): Promise<void> {
    const write = logs.writer(conversation);
    const isWanted = startJump(conversation);
    const page = await listPage(conversation, {});
    if (isWanted()) write((log) => withNewest(log, page));
  }

  /** Opens a window around a message, or at the end if that seq does not exist. */
  async function loadAround(conversation: string, seq: number): Promise<void> {
    const write = logs.writer(conversation);
    const isWanted = startJump(conversation);
    const page = await listPage(conversation, { after: Math.max(0, seq - 1 - PAGE / 2) });
    if (!isWanted()) return;
    if (page.data.some((message) => message.seq === seq)) write((log) => withPageAround(log, page, seq));
    else await loadNewest(conversation);
  }

  /** Ensures that a message is in the window. */
  async function jumpTo(conversation: string, seq: number): Promise<void> {
    const { messages } = logs.of(conversation);
    const isHeld = seq >= (messages[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (messages.at(-1)?.seq ?? 0);
    if (isHeld) startJump(conversation);
    else await loadAround(conversation, seq);
  }

  /** Ensures that the end is in the window. */
  async function jumpToLatest(conversation: string): Promise<void> {
    if (logs.of(conversation).hasNewer) await loadNewest(conversation);
  }

  /** Loads the page before the first message. */
  async function loadOlder(conversation: string): Promise<void> {
    const write = logs.writer(conversation);
    const { messages, hasOlder } = logs.of(conversation);
    const first = messages[0];
    if (!hasOlder || !first) return;
    await once(`${conversation} older`, async () => {
      const page = await listPage(conversation, { before: first.seq });
      write((log) => withOlder(log, page));
    });
  }

  /** Loads the page after the last message. */
  async function loadNewer(conversation: string): Promise<void> {
    const write = logs.writer(conversation);
    const log = logs.of(conversation);
    if (!log.hasNewer) return;
    await once(`${conversation} newer`, async () => {
      const page = await listPage(conversation, { after: lastSeq(log) });
      write((known) => withNewer(known, page));
    });
  }
  return { loadNewest, loadAround, jumpTo, jumpToLatest, loadOlder, loadNewer };
}
