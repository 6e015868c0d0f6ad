import type { listMessages } from '@atrium/proto-events/http/chat-messages';
import { call } from '../../../lib/api/api.ts';
import { createPersonStore } from '../../../lib/session/person-store.ts';
import { lastSeq, withNewest, withOlder, withReceived } from './message-log.ts';
import { logOf, logWriter } from './message-store.ts';

/** Messages loaded at once (specification, section 9). */
const PAGE = 100;
/** Further behind than this, the newest page is shown and the rest read when scrolled to. */
const FAR_BEHIND = 5 * PAGE;

const list = (conversation: string, range: { before?: number; after?: number }) =>
  call<typeof listMessages>('GET /chat/messages', { query: { conversation, limit: PAGE, ...range } });

async function loadNewest(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const page = await list(conversation, {});
  write((log) => withNewest(log, page.data, page.hasMore));
}

/** Asks for what came after the last message known without a hole, until there is no more. */
async function loadMissed(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  for (;;) {
    const page = await list(conversation, { after: lastSeq(logOf(conversation)) });
    if (page.total - lastSeq(logOf(conversation)) > FAR_BEHIND) return loadNewest(conversation);
    write((log) => withReceived(log, page.data));
    if (!page.hasMore || page.data.length === 0) return;
  }
}

/** What was edited or deleted meanwhile has no new seq: the end of what is shown is read again. */
async function reloadShown(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const page = await list(conversation, { before: lastSeq(logOf(conversation)) + 1 });
  write((log) => withReceived(log, page.data));
}

type Run = { again: boolean; done: Promise<void> };

/** Of one person: the next does not wait for what was asked for the one before. */
const underWay = createPersonStore(() => ({ runs: new Map<string, Run>(), readingOlder: new Set<string>() }));

/** Catches up; calls that come meanwhile are folded into one more round. */
export function catchUp(conversation: string): Promise<void> {
  const { runs } = underWay.get();
  const present = runs.get(conversation);
  if (present) {
    present.again = true;
    return present.done;
  }
  const run: Run = { again: false, done: Promise.resolve() };
  const work = async () => {
    do {
      run.again = false;
      await (logOf(conversation).isLoaded ? loadMissed(conversation) : loadNewest(conversation));
    } while (run.again);
  };
  run.done = work().finally(() => runs.delete(conversation));
  runs.set(conversation, run);
  return run.done;
}

/** For opening a conversation and after a lost connection: everything as it is now. */
export async function bringUpToDate(conversation: string): Promise<true> {
  const wasLoaded = logOf(conversation).isLoaded;
  await catchUp(conversation);
  if (wasLoaded) await reloadShown(conversation);
  return true;
}

/** Reads the page before the first message; one at a time. */
export async function loadOlder(conversation: string): Promise<void> {
  const { readingOlder } = underWay.get();
  const write = logWriter(conversation);
  const { messages, hasOlder } = logOf(conversation);
  const first = messages[0];
  if (!hasOlder || !first || readingOlder.has(conversation)) return;
  readingOlder.add(conversation);
  try {
    const page = await list(conversation, { before: first.seq });
    write((log) => withOlder(log, page.data, page.hasMore));
  } finally {
    readingOlder.delete(conversation);
  }
}
