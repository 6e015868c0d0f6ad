import type { sendMessage } from '@atrium/proto-events/http/chat-messages';
import { call } from '../../../lib/api/api.ts';
import { networkError } from '../../../lib/api/api-error.ts';
import { createPersonStore } from '../../../lib/session/person-store.ts';
import { presentPerson } from '../../../lib/session/session.ts';
import { withoutPending, withPending, withReceived } from '../log/message-log.ts';
import { logWriter } from '../log/message-store.ts';
import { jumpToLatest } from '../log/read-window.ts';
import type { Sent } from './drafts.ts';

/** Shows the message at once; the server's own takes its place, or it goes again. */
export async function postMessage(me: string, conversation: string, message: Sent): Promise<void> {
  const writeLog = logWriter(conversation);
  // Whoever writes goes on where the others are; should that fail, the message is sent all the same.
  jumpToLatest(conversation).catch(() => undefined);
  writeLog((log) => withPending(log, { ...message, createdAt: new Date().toISOString() }));
  try {
    const sent = await inTurn(conversation, () => {
      // Its turn may come when somebody else is here.
      if (presentPerson() !== me) throw networkError();
      return call<typeof sendMessage>('POST /chat/messages', { body: { conversation, ...message } });
    });
    writeLog((log) => withReceived(log, [sent]));
  } finally {
    writeLog((log) => withoutPending(log, message.clientMessageId));
  }
}

const underWay = createPersonStore(() => new Map<string, Promise<unknown>>());

/** Who types quickly sends while the message before is still on its way: each leaves after it, so that they keep their order. */
function inTurn<T>(conversation: string, send: () => Promise<T>): Promise<T> {
  const turns = underWay.get();
  const turn = (turns.get(conversation) ?? Promise.resolve()).then(send);
  const done = turn.catch(() => undefined);
  turns.set(conversation, done);
  void done.then(() => turns.get(conversation) === done && turns.delete(conversation));
  return turn;
}
