import type { listMessages } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { type MessageReader, PAGE, type Range } from './message-source.ts';
import { logs } from './message-store.ts';

async function listPage(conversation: string, range: Range) {
  const keepPictures = createLinkRecorder();
  const query = { conversation, limit: PAGE, ...range };
  const page = await call<typeof listMessages>('GET /chat/messages', { query });
  keepPictures(page.data);
  return page;
}

/** Scoped to the signed-in user. */
export const reading: MessageReader = { logs, listPage, personal: (begin) => createUserScopedStore(begin).get };
