import type { listMessages } from '@atrium/proto-events/http/chat-messages';
import { call } from '../../../lib/api/api.ts';
import { createUserScopedStore } from '../../../lib/session/person-store.ts';
import { pictureKeeper } from '../files/picture-links.ts';
import { logs } from './message-store.ts';
import { PAGE, type Range, type Reading } from './reading.ts';

async function listPage(conversation: string, range: Range) {
  const keepPictures = pictureKeeper();
  const query = { conversation, limit: PAGE, ...range };
  const page = await call<typeof listMessages>('GET /chat/messages', { query });
  keepPictures(page.data);
  return page;
}

/** Of whoever is signed in. */
export const reading: Reading = { logs, listPage, personal: (begin) => createUserScopedStore(begin).get };
