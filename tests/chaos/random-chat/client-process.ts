import type {
  addParticipant,
  Conversation,
  removeParticipantByPath,
  renameConversation,
} from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  type ClientArgs,
  type DisplayedState,
  toConversationRow,
  toMessageLine,
} from './actions.ts';
import { openPage, setOnline } from './page.ts';

/**
 * Headless Team Chat client: runs the web app's own code in a separate process. It subscribes to all queries that a
 * screen would show and reads open conversations as messages arrive. The parent sends actions, and the client responds
 * with the state it displays.
 */
const [argument = '{}'] = process.argv.slice(2);
const { url, ...tokens } = JSON.parse(argument) as ClientArgs;
openPage(url);

const { storeTokens } = await import('@atrium/web/lib/api/tokens');
const { onSessionChange, currentUserId, startSession } = await import('@atrium/web/lib/session/session');
const { QueryCache } = await import('@atrium/web/lib/query/query-cache');
const { call, read } = await import('@atrium/web/lib/api/api');
const { ApiError, isFinal } = await import('@atrium/web/lib/api/api-error');
const { createRefetch } = await import('@atrium/web/realtime/refetch');
const { toOutcome } = await import('@atrium/web/realtime/refetch-scheduler');
const { startLiveSync } = await import('@atrium/web/app/shell/start-live-sync');
const { itemsOf } = await import('@atrium/web/realtime/stale-queries');
const { chatSocket, liveSocket } = await import('@atrium/web/realtime/connection/socket');
const { readUnread, unread } = await import('@atrium/web/realtime/unread');
const { createMessageBuffer, createListener } = await import('@atrium/web/entities/conversation/conversation-events');
const { listChanges, pageKey } = await import('@atrium/web/entities/conversation/conversation-list-cache');
const { withSeen } = await import('@atrium/web/entities/conversation/conversation');
const { chatEventHandlers } = await import('@atrium/web/features/chat/chat-event-handlers');
const { fillGaps } = await import('@atrium/web/features/chat/log/fill-gaps');
const { logOf, messageStore, showLog } = await import('@atrium/web/features/chat/log/message-store');
const { syncAll } = await import('@atrium/web/features/chat/log/sync-messages');
const { hasUnread, recordRead } = await import('@atrium/web/features/chat/read-receipts/record-read');
const { removeMessage, saveEdit } = await import('@atrium/web/features/chat/log/write-messages');
const { postMessage } = await import('@atrium/web/features/chat/sending/post-message');
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
const userId = currentUserId() ?? '';

const cache = new QueryCache();
const setEntry = cache.set.bind(cache);
cache.set = (key, state) => {
  // SWR finds the keys to mutate by `_k`.
  setEntry(key, Object.assign({ _k: key }, state));
  if (key === pageKey(1)) setTimeout(readShown);
  return cache;
};
const initialized = initCache(cache);
if (!initialized) throw new Error('The cache is already initialized');
const mutate = initialized[1];

const loadKey = async (key: string) => {
  const { applyEdits, finish } = cache.startRequest(key);
  try {
    cache.set(key, { data: applyEdits(await fetchKey(key)) });
    finish(true);
    return toOutcome(undefined);
  } catch (error) {
    finish(false);
    // Saves the error under its key, so that the key counts as displayed, as in SWR.
    cache.set(key, { ...cache.get(key), error });
    // Closes a conversation that the user has left.
    if (open !== null && key.includes(open) && error instanceof ApiError && error.status === 404)
      void openConversation(null);
    return toOutcome(error);
  }
};
const fetchKey = (key: string): Promise<unknown> => {
  if (key.startsWith(MESSAGES)) return syncAll(key.slice(MESSAGES.length));
  return key === UNREAD ? readUnread(key) : read(key);
};
const refetch = createRefetch(cache, {
  revalidate: loadKey,
  async fetchItems(path) {
    try {
      return { items: itemsOf(await read(path)), ...toOutcome(undefined) };
    } catch (error) {
      return { items: null, ...toOutcome(error) };
    }
  },
  show: (key, data) => void cache.set(key, { data }),
  isVisible: () => true,
  onceVisible: () => undefined,
});

const listConversations = () => (cache.get(pageKey(1))?.data as List | undefined)?.data ?? [];
const changes = listChanges({ cache, mutate });

let open: string | null = null;
let close = () => {};
const openConversation = async (conversation: string | null) => {
  close();
  open = conversation;
  handledState = '';
  close = () => {};
  if (conversation === null) return;
  const key = MESSAGES + conversation;
  const item = `/chat/conversations/${conversation}`;
  const disposers = [showLog(conversation), cache.observe(key), cache.observe(item), fillGaps(conversation)];
  close = () => {
    for (const dispose of disposers) dispose();
  };
  await Promise.all([key, item].map((displayedKey) => loadUntilSuccess(displayedKey, () => open === conversation)));
  readShown();
};
/** Retries a failed load while it is displayed, like SWR. */
const loadUntilSuccess = async (key: string, isShown: () => boolean) => {
  while (isShown() && (await loadKey(key)).hasFailed) await new Promise((resolve) => setTimeout(resolve, 1_000));
};
/** Sends read receipts like `useMarkRead`: whenever the list's state of the open conversation changes. */
let handledState = '';
const readShown = () => {
  const conversation = open === null ? undefined : listConversations().find(({ _id }) => _id === open);
  if (!conversation || !logOf(conversation._id).isLoaded) return;
  const { _id, lastSeq } = conversation;
  const isDue = hasUnread(conversation, userId);
  const seen = `${_id} ${lastSeq} ${isDue}`;
  if (seen === handledState) return;
  handledState = seen;
  if (isDue) markRead(_id, lastSeq);
};
const markRead = (conversation: string, seq: number) => {
  changes.update(conversation, (current) => withSeen(current, seq));
  recordRead(userId, conversation, seq);
};

const buffer = createMessageBuffer();
chatSocket.onAny((name: string, payload: unknown) => {
  const events = chatEventHandlers({
    currentUserId: userId,
    open,
    isVisible: () => true,
    store: messageStore,
    typing: { start: () => undefined, stop: () => undefined },
    lists: { ...changes, reload: () => refetch((key) => key.startsWith('/chat/conversations')) },
    buffer,
    onRead: (conversation, seq) => recordRead(userId, conversation, seq),
    onGone: (conversation) => {
      if (conversation === open) void openConversation(null);
    },
    onMembership: () => undefined,
  });
  createListener(events)(name, payload);
});
for (const key of [pageKey(1), UNREAD]) cache.observe(key);
startLiveSync({
  refetch,
  cache,
  unread,
});
await Promise.all([pageKey(1), UNREAD].map(loadKey));

const findOwnMessage = (nth: number): Message | undefined =>
  open === null
    ? undefined
    : logOf(open)
        .messages.filter(({ sender, deleted }) => sender._id === userId && !deleted)
        .at(-1 - nth);

async function perform(action: Action): Promise<void> {
  switch (action.do) {
    case 'open':
      // Not awaited: without a network it stays pending.
      void openConversation(action.conversation);
      return;
    case 'send': {
      const { conversation, content } = action;
      return sendUntilAcknowledged(conversation, content);
    }
    case 'edit': {
      const message = findOwnMessage(action.nth);
      return void (message && (await saveEdit(message, action.content)));
    }
    case 'delete': {
      const message = findOwnMessage(action.nth);
      return message && removeMessage(message);
    }
    case 'add':
      return void (await call<typeof addParticipant>('POST /chat/conversations/:id/participants', {
        params: { id: action.conversation },
        body: { userId: action.userId },
      }));
    case 'remove':
      return void (await call<typeof removeParticipantByPath>('DELETE /chat/conversations/:id/participants/:userId', {
        params: { id: action.conversation, userId: action.userId },
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

/** Retries with the same message id, like a user who presses "Send" until it succeeds. */
async function sendUntilAcknowledged(conversation: string, content: string): Promise<void> {
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

function getDisplayedState(): DisplayedState {
  const log = open === null ? undefined : logOf(open);
  return {
    isConnected: chatSocket.connected && liveSocket.connected,
    open,
    messages: (log?.messages ?? []).map(toMessageLine),
    hasNewer: log?.hasNewer ?? false,
    conversations: listConversations().map(toConversationRow),
    unread: unread.total(),
  };
}

process.on('message', (request: ActionRequest) => {
  const { id, action } = request;
  perform(action).then(
    () => respond({ id, displayed: getDisplayedState() }),
    (error: unknown) => respond({ id, displayed: getDisplayedState(), error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
const respond = (response: ActionResponse) => process.send?.(response);
respond({ id: 0, displayed: getDisplayedState() });
