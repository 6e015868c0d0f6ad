import type {
  addParticipant,
  Conversation,
  removeParticipantByPath,
  renameConversation,
} from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { type Action, type Answered, type Asked, type Given, lineOf, rowOf, type Shown } from './actions.ts';
import { openPage, setOnline } from './page.ts';

/**
 * Somebody at Team Chat: the web app's own code of it in a process of its own, without a screen. Everything that a screen would show is
 * held, and what is open is read as it comes. Told what to do by its parent, and answers what it shows then.
 */
const [given = '{}'] = process.argv.slice(2);
const { url, ...tokens } = JSON.parse(given) as Given;
openPage(url);

const { storeTokens } = await import('@atrium/web/lib/session/tokens');
const { onSessionChange, currentUserId, startSession } = await import('@atrium/web/lib/session/session');
const { QueryCache } = await import('@atrium/web/lib/query/query-cache');
const { call, read } = await import('@atrium/web/lib/api/api');
const { ApiError, isFinal } = await import('@atrium/web/lib/api/api-error');
const { createAskAgain } = await import('@atrium/web/realtime/refetch');
const { outcomeOf } = await import('@atrium/web/realtime/refetch-scheduler');
const { followChanges } = await import('@atrium/web/app/shell/start-live-sync');
const { itemsOf } = await import('@atrium/web/realtime/stale-queries');
const { chatSocket, liveSocket } = await import('@atrium/web/realtime/socket');
const { readUnread, unread } = await import('@atrium/web/realtime/unread/unread');
const { listenerOf } = await import('@atrium/web/entities/conversation/conversation-events');
const { earlyMessages } = await import('@atrium/web/entities/conversation/message-buffer');
const { listChanges, pageKey } = await import('@atrium/web/entities/conversation/conversation-list-cache');
const { withSeen } = await import('@atrium/web/entities/conversation/conversation-reducers');
const { postMessage } = await import('@atrium/web/features/chat/outbox/post-message');
const { chatParts } = await import('@atrium/web/features/chat/chat-context');
const { fillGaps, chatEvents } = await import('@atrium/web/features/chat/chat-event-handlers');
const { logOf, showLog } = await import('@atrium/web/features/chat/log/message-store');
const { bringUpToDate } = await import('@atrium/web/features/chat/log/sync-messages');
const { noteRead } = await import('@atrium/web/features/chat/read-receipts/note-read');
const { isToBeRead } = await import('@atrium/web/features/chat/read-receipts/send-read-receipts');
const { removeMessage, saveEdit } = await import('@atrium/web/features/chat/messages/message-actions');
const { initCache } = await import('swr/_internal');

type List = { data: Conversation[] };

const MESSAGES = '/chat/messages?conversation=';
const UNREAD = '/chat/unread';

storeTokens(tokens);
startSession();
await new Promise<void>((resolve) => {
  const stop = onSessionChange(() => {
    if (currentUserId() === null) return;
    stop();
    resolve();
  });
});
const me = currentUserId() ?? '';

const cache = new QueryCache();
const put = cache.set.bind(cache);
cache.set = (key, state) => {
  // SWR finds by it what is changed where it stands.
  put(key, Object.assign({ _k: key }, state));
  if (key === pageKey(1)) setTimeout(readShown);
  return cache;
};
const made = initCache(cache);
if (!made) throw new Error('the cache is known already');
const mutate = made[1];

const ask = async (key: string) => {
  const { edited, end } = cache.ask(key);
  try {
    cache.set(key, { data: edited(await answerOf(key)) });
    end(true);
    return outcomeOf(undefined);
  } catch (error) {
    end(false);
    // Under its key, so that it is known as something that is shown, as SWR has it.
    cache.set(key, { ...cache.get(key), error });
    // One that is not theirs any more is not on the screen: it says so instead.
    if (open !== null && key.includes(open) && error instanceof ApiError && error.status === 404)
      void openConversation(null);
    return outcomeOf(error);
  }
};
const answerOf = (key: string): Promise<unknown> => {
  if (key.startsWith(MESSAGES)) return bringUpToDate(key.slice(MESSAGES.length));
  return key === UNREAD ? readUnread(key) : read(key);
};
const askAgain = createAskAgain(cache, {
  ask,
  async readItems(path) {
    try {
      return { items: itemsOf(await read(path)), ...outcomeOf(undefined) };
    } catch (error) {
      return { items: null, ...outcomeOf(error) };
    }
  },
  show: (key, data) => void cache.set(key, { data }),
  isLookedAt: () => true,
  onceLookedAt: () => undefined,
});

const listed = () => (cache.get(pageKey(1))?.data as List | undefined)?.data ?? [];
const changes = listChanges({ cache, mutate });

let open: string | null = null;
let close = () => {};
const openConversation = async (conversation: string | null) => {
  close();
  open = conversation;
  judged = '';
  close = () => {};
  if (conversation === null) return;
  const key = MESSAGES + conversation;
  const one = `/chat/conversations/${conversation}`;
  const ends = [showLog(conversation), cache.hold(key), cache.hold(one), fillGaps(conversation, chatParts)];
  close = () => {
    for (const end of ends) end();
  };
  await Promise.all([key, one].map((each) => askUntilThere(each, () => open === conversation)));
  readShown();
};
/** As SWR does: what could not be had is asked for again for as long as it is shown. */
const askUntilThere = async (key: string, isShown: () => boolean) => {
  while (isShown() && (await ask(key)).hasFailed) await new Promise((resolve) => setTimeout(resolve, 1_000));
};
/** As `useMarkRead` does with what the list says of the open conversation, each time that it says something else. */
let judged = '';
const readShown = () => {
  const known = open === null ? undefined : listed().find(({ _id }) => _id === open);
  if (!known || !logOf(known._id).isLoaded) return;
  const { _id, lastSeq } = known;
  const isDue = isToBeRead(known, me);
  const seen = `${_id} ${lastSeq} ${isDue}`;
  if (seen === judged) return;
  judged = seen;
  if (isDue) markRead(_id, lastSeq);
};
const markRead = (conversation: string, seq: number) => {
  changes.update(conversation, (known) => withSeen(known, seq));
  noteRead(me, conversation, seq);
};

const early = earlyMessages();
chatSocket.onAny((name: string, payload: unknown) => {
  const events = chatEvents({
    ...chatParts,
    me,
    open,
    isVisible: () => true,
    lists: { ...changes, reload: () => askAgain((key) => key.startsWith('/chat/conversations')) },
    early,
    onRead: (conversation, seq) => noteRead(me, conversation, seq),
    onGone: (conversation) => {
      if (conversation === open) void openConversation(null);
    },
    onMembership: () => undefined,
  });
  listenerOf(events)(name, payload);
});
for (const key of [pageKey(1), UNREAD]) cache.hold(key);
followChanges({
  refresh: askAgain,
  answers: cache,
  unread,
});
await Promise.all([pageKey(1), UNREAD].map(ask));

const own = (nth: number): Message | undefined =>
  open === null
    ? undefined
    : logOf(open)
        .messages.filter(({ sender, deleted }) => sender._id === me && !deleted)
        .at(-1 - nth);

async function perform(action: Action): Promise<void> {
  switch (action.do) {
    case 'open':
      // What is on its way while there is no network is waited for by nobody.
      void openConversation(action.conversation);
      return;
    case 'send': {
      const { conversation, content } = action;
      return sendUntilAnswered(conversation, content);
    }
    case 'edit': {
      const message = own(action.nth);
      return void (message && (await saveEdit(message, action.content)));
    }
    case 'delete': {
      const message = own(action.nth);
      return message && removeMessage(message);
    }
    case 'add':
      return void (await call<typeof addParticipant>('POST /chat/conversations/:id/participants', {
        params: { id: action.conversation },
        body: { userId: action.person },
      }));
    case 'remove':
      return void (await call<typeof removeParticipantByPath>('DELETE /chat/conversations/:id/participants/:userId', {
        params: { id: action.conversation, userId: action.person },
      }));
    case 'rename':
      return void (await call<typeof renameConversation>('PATCH /chat/conversations/:id', {
        params: { id: action.conversation },
        body: { title: action.title },
      }));
    case 'offline':
    case 'online':
      return setOnline(action.do === 'online');
    case 'show':
      return;
  }
}

/** As somebody does who presses "Send" again until it is there, by the same id. */
async function sendUntilAnswered(conversation: string, content: string): Promise<void> {
  const clientMessageId = crypto.randomUUID();
  for (;;) {
    try {
      return await postMessage(conversation, { clientMessageId, content });
    } catch (error) {
      if (isFinal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function shown(): Shown {
  const log = open === null ? undefined : logOf(open);
  return {
    isConnected: chatSocket.connected && liveSocket.connected,
    open,
    messages: (log?.messages ?? []).map(lineOf),
    hasNewer: log?.hasNewer ?? false,
    conversations: listed().map(rowOf),
    unread: unread.total(),
  };
}

process.on('message', (asked: Asked) => {
  const { id, action } = asked;
  perform(action).then(
    () => answer({ id, shown: shown() }),
    (error: unknown) => answer({ id, shown: shown(), refused: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
const answer = (given: Answered) => process.send?.(given);
answer({ id: 0, shown: shown() });
