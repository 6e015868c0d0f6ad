import { createPersonStore } from '../../../lib/session/person-store.ts';
import { listPage, once, PAGE } from './list-page.ts';
import { withNewer, withNewest, withOlder, withPageAround } from './log-window.ts';
import { lastSeq } from './message-log.ts';
import { logOf, logWriter } from './message-store.ts';

/** The latest question for a window of each conversation: whoever jumps on meanwhile is elsewhere when an earlier one is answered. */
const jumps = createPersonStore(() => new Map<string, number>());

function startJump(conversation: string): () => boolean {
  const all = jumps.get();
  const jump = (all.get(conversation) ?? 0) + 1;
  all.set(conversation, jump);
  return () => all.get(conversation) === jump;
}

/** Opens a window at the end, or goes on with the one that reaches it. */
export async function loadNewest(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const isWanted = startJump(conversation);
  const page = await listPage(conversation, {});
  if (isWanted()) write((log) => withNewest(log, page));
}

/** Opens a window with a message in its middle; at the end where there is none of that seq. */
export async function loadAround(conversation: string, seq: number): Promise<void> {
  const write = logWriter(conversation);
  const isWanted = startJump(conversation);
  const page = await listPage(conversation, { after: Math.max(0, seq - 1 - PAGE / 2) });
  if (!isWanted()) return;
  if (page.data.some((message) => message.seq === seq)) write((log) => withPageAround(log, page, seq));
  else await loadNewest(conversation);
}

/** Has a message in the window, by another window where it is in none. */
export async function jumpTo(conversation: string, seq: number): Promise<void> {
  const { messages } = logOf(conversation);
  const isHeld = seq >= (messages[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (messages.at(-1)?.seq ?? 0);
  if (isHeld) startJump(conversation);
  else await loadAround(conversation, seq);
}

/** Has the end in the window. */
export async function jumpToLatest(conversation: string): Promise<void> {
  if (logOf(conversation).hasNewer) await loadNewest(conversation);
}

/** Reads the page before the first message. */
export async function loadOlder(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const { messages, hasOlder } = logOf(conversation);
  const first = messages[0];
  if (!hasOlder || !first) return;
  await once(`${conversation} older`, async () => {
    const page = await listPage(conversation, { before: first.seq });
    write((log) => withOlder(log, page));
  });
}

/** Reads the page after the last one. */
export async function loadNewer(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const log = logOf(conversation);
  if (!log.hasNewer) return;
  await once(`${conversation} newer`, async () => {
    const page = await listPage(conversation, { after: lastSeq(log) });
    write((known) => withNewer(known, page));
  });
}
