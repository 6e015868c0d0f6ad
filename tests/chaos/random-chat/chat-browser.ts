import type {
  addParticipant,
  Conversation,
  removeParticipantByPath,
  renameConversation,
} from '@atrium/proto-events/http/chat/conversations';
import type { addReaction, Message, removeReaction } from '@atrium/proto-events/http/chat/messages';
import type { pinMessage, unpinMessage } from '@atrium/proto-events/http/chat/pins';
import type { createPoll, votePoll } from '@atrium/proto-events/http/chat/polls';
import type { markThreadRead } from '@atrium/proto-events/http/chat/threads';
import type { markConversationUnread } from '@atrium/proto-events/http/chat/unread';
import type { UnreadResponse } from '@atrium/web/realtime/read-states';
import { type ClientArgs, readClientArgs, serveActions } from '../client-process/client-process.ts';
import { openPage, setOnline } from '../client-process/page.ts';
import { type Action, type DisplayedState, toConversationRow, toMessageLine } from './actions.ts';

/**
 * Headless Team Chat client: runs the web app's own code in a separate process. It subscribes to all queries that a
 * screen would show and reads open conversations as messages arrive. The parent sends actions, and the client responds
 * with the state it displays.
 */
const { url, ...tokens } = readClientArgs<ClientArgs>();
openPage(url);

const { startSignedIn } = await import('../client-process/start-signed-in.ts');
const { QueryCache } = await import('@atrium/web/lib/query/query-cache');
const { call, read } = await import('@atrium/web/lib/api/api');
const { ApiError, isFinal } = await import('@atrium/web/lib/api/api-error');
const { refetchStale } = await import('@atrium/web/lib/query/refetch-stale');
const { startLiveSync } = await import('@atrium/web/app/shell/start-live-sync');
const { chatSocket, liveSocket } = await import('@atrium/web/realtime/connection/socket');
const { unread } = await import('@atrium/web/realtime/unread');
const { createListener } = await import('@atrium/web/entities/conversation/follow-conversations');
const { pageKey } = await import('@atrium/web/entities/conversation/conversation-edits');
const { chatEventHandlers } = await import('@atrium/web/features/chat/chat-event-handlers');
const { fillGaps } = await import('@atrium/web/features/chat/log/fill-gaps');
const { logOf, messageStore, showLog } = await import('@atrium/web/features/chat/log/message-store');
const { syncAll } = await import('@atrium/web/features/chat/log/sync-messages');
const { recordRead } = await import('@atrium/web/features/chat/read-receipts/record-read');
const { removeMessage, responseWriter, saveEdit } = await import('@atrium/web/features/chat/log/write-messages');
const { postMessage } = await import('@atrium/web/features/chat/sending/post-message');

type List = { data: Conversation[] };

const MESSAGES = '/chat/messages?conversation=';
const UNREAD = '/chat/unread';

const { _id: userId } = await startSignedIn(tokens);

const cache = new QueryCache();
const show = (key: string, data: unknown) => {
  cache.set(key, { data });
  // Runs after the data is shown, like an effect.
  if (key === pageKey(1)) setTimeout(readShown);
};
cache.show = show;

const loadKey = async (key: string) => {
  const request = cache.startRequest(key);
  try {
    show(key, request.succeed(await fetchKey(key)));
  } catch (error) {
    request.fail(error);
    // Saves the error under its key, so that the key counts as displayed, as in SWR.
    cache.set(key, { ...cache.get(key), error });
    // Closes a conversation that the user has left.
    if (open !== null && key.includes(open) && error instanceof ApiError && error.status === 404)
      void openConversation(null);
    throw error;
  }
};
const fetchKey = (key: string): Promise<unknown> => {
  if (key.startsWith(MESSAGES)) return syncAll(key.slice(MESSAGES.length)).then(() => true);
  return key === UNREAD ? unread.request(() => read(key) as Promise<UnreadResponse>) : read(key);
};
const staleRefetch = refetchStale({
  cache,
  revalidate: async (key) => (cache.isObserved(key) ? loadKey(key) : undefined),
  isVisible: () => true,
  onceVisible: () => undefined,
});

const listConversations = () => (cache.get(pageKey(1))?.data as List | undefined)?.data ?? [];

let open: string | null = null;
/** The read revision of the open conversation when it was opened. */
let openRevision = 0;
let close = () => {};
const openConversation = async (conversation: string | null) => {
  close();
  open = conversation;
  close = () => {};
  if (conversation === null) return;
  const key = MESSAGES + conversation;
  const item = `/chat/conversations/${conversation}`;
  const disposers = [showLog(conversation), cache.observe(key), cache.observe(item), fillGaps(conversation)];
  close = () => {
    for (const dispose of disposers) dispose();
  };
  await Promise.all([key, item].map((displayedKey) => loadUntilSuccess(displayedKey, () => open === conversation)));
  openRevision = unread.revisionOf(conversation) ?? 0;
  readShown();
};
/** Retries a failed load while it is displayed, like SWR. */
const loadUntilSuccess = async (key: string, isShown: () => boolean) => {
  while (isShown()) {
    const error: unknown = await loadKey(key).catch((failure: unknown) => failure);
    if (error === undefined || isFinal(error)) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};
/** Sends read receipts like `useReadPosition`: whenever the open conversation has unread messages that were not marked so. */
const readShown = () => {
  unread.recordListed(listConversations());
  const conversation = open === null ? undefined : listConversations().find(({ _id }) => _id === open);
  if (!conversation || !logOf(conversation._id).isLoaded || unread.countIn(conversation) === 0) return;
  if (unread.revisionIn(conversation) > openRevision) return;
  recordRead(userId, conversation._id, conversation.lastSeq);
};

chatSocket.onAny((name: string, payload: unknown) => {
  const events = chatEventHandlers({
    currentUserId: userId,
    open,
    isVisible: (logId) => (unread.revisionOf(logId) ?? 0) <= openRevision,
    store: messageStore,
    typing: { start: () => undefined, stop: () => undefined },
    onRead: (conversation, seq) => recordRead(userId, conversation, seq),
    onGone: (conversation) => {
      if (conversation === open) void openConversation(null);
    },
    onMembership: () => undefined,
  });
  createListener(events)(name, payload);
});
for (const key of [pageKey(1), UNREAD]) cache.observe(key);
startLiveSync({ cache, staleRefetch, unread });
await Promise.all([pageKey(1), UNREAD].map((key) => loadKey(key).catch(() => undefined)));

const findIn = (matches: (message: Message) => boolean, nth: number): Message | undefined =>
  open === null
    ? undefined
    : logOf(open)
        .messages.filter(matches)
        .at(-1 - nth);
const findMessage = (nth: number) => findIn(({ deleted }) => !deleted, nth);
const findPoll = (nth: number) => findIn(({ poll }) => poll !== null, nth);
const findOwnMessage = (nth: number) => findIn(({ sender, deleted }) => sender._id === userId && !deleted, nth);

async function perform(action: Action): Promise<void> {
  switch (action.do) {
    case 'open':
      // Not awaited: without a network it stays pending.
      void openConversation(action.conversation);
      return;
    case 'send': {
      const { conversation, content } = action;
      return sendUntilAcknowledged({ conversation }, content);
    }
    case 'edit': {
      const message = findOwnMessage(action.nth);
      return void (message && (await saveEdit(message, action.content)));
    }
    case 'delete': {
      const message = findOwnMessage(action.nth);
      return message && removeMessage(message);
    }
    case 'react': {
      const { nth, emoji, isAdded } = action;
      const message = findMessage(nth);
      if (!message) return;
      const write = responseWriter(message);
      const input = { params: { id: message._id, emoji } };
      return write(
        isAdded
          ? await call<typeof addReaction>('PUT /chat/messages/:id/reactions/:emoji', input)
          : await call<typeof removeReaction>('DELETE /chat/messages/:id/reactions/:emoji', input),
      );
    }
    case 'pin': {
      const message = findMessage(action.nth);
      if (!message) return;
      const write = responseWriter(message);
      const input = { params: { id: message._id } };
      return write(
        action.isPinned
          ? await call<typeof pinMessage>('PUT /chat/messages/:id/pin', input)
          : await call<typeof unpinMessage>('DELETE /chat/messages/:id/pin', input),
      );
    }
    case 'reply': {
      const root = findMessage(action.nth);
      if (!root) return;
      const thread = root.thread?.root ?? root._id;
      const { content, alsoInConversation } = action;
      return sendUntilAcknowledged({ conversation: root.conversation, thread }, content, alsoInConversation);
    }
    case 'readThread': {
      const root = findMessage(action.nth);
      if (!root) return;
      await call<typeof markThreadRead>('POST /chat/messages/:id/thread/read', {
        params: { id: root.thread?.root ?? root._id },
        body: {},
      });
      return;
    }
    case 'markUnread': {
      const message = findMessage(action.nth);
      if (!message) return;
      const state = await call<typeof markConversationUnread>('POST /chat/conversations/:id/unread', {
        params: { id: message.conversation },
        body: { seq: message.seq },
      });
      return unread.recordState({ conversation: message.conversation, ...state });
    }
    case 'poll': {
      const { conversation, question } = action;
      await call<typeof createPoll>('POST /chat/polls', {
        body: { conversation, question, options: ['Yes', 'No', 'Later'] },
      });
      return;
    }
    case 'vote': {
      const message = findPoll(action.nth);
      if (!message) return;
      const write = responseWriter(message);
      const options = action.option === null ? [] : [action.option];
      return write(
        await call<typeof votePoll>('PUT /chat/messages/:id/poll/votes', {
          params: { id: message._id },
          body: { options },
        }),
      );
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
async function sendUntilAcknowledged(
  destination: { conversation: string; thread?: string },
  content: string,
  alsoInConversation = false,
): Promise<void> {
  const clientMessageId = crypto.randomUUID();
  for (;;) {
    try {
      await postMessage({
        destination,
        clientMessageId,
        content,
        ...(alsoInConversation && { alsoInConversation }),
      });
      return;
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
    conversations: listConversations().map((listed) => ({
      ...toConversationRow(listed),
      // As `useUnreadIn` and `useLastReadSeq` show them.
      unreadCount: unread.countIn(listed),
      lastReadSeq: unread.lastReadSeqIn(listed),
    })),
    // The total includes replies.
    unread: unread.total() - unread.totalInThreads(),
    unreadReplies: unread.totalInThreads(),
  };
}

serveActions(perform, getDisplayedState);
