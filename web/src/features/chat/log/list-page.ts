import type { listMessages } from '@atrium/proto-events/http/chat-messages';
import { call } from '../../../lib/api/api.ts';
import { createPersonStore } from '../../../lib/session/person-store.ts';
import { pictureKeeper } from '../files/picture-links.ts';

/** Messages loaded at once (specification, section 9). */
export const PAGE = 100;

type Range = { before?: number; after?: number; changedAfter?: number };

export async function listPage(conversation: string, range: Range) {
  const keepPictures = pictureKeeper();
  const query = { conversation, limit: PAGE, ...range };
  const page = await call<typeof listMessages>('GET /chat/messages', { query });
  keepPictures(page.data);
  return page;
}

/** Of one person: the next does not wait for what was asked for the one before. */
const underWay = createPersonStore(() => new Set<string>());

/** One at a time of each; whoever asks meanwhile is served by the one under way. */
export async function once(what: string, work: () => Promise<void>): Promise<void> {
  const present = underWay.get();
  if (present.has(what)) return;
  present.add(what);
  try {
    await work();
  } finally {
    present.delete(what);
  }
}
