import type {
  Conversation,
  getConversation,
  listConversations,
  Preferences,
} from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import type { Edit, QueryCache } from '#lib/query/query-cache.ts';
import { keyOf } from '#lib/query/use-read.ts';
import { itemsOf } from '#realtime/items.ts';
import { withChanged, withoutDeleted } from '#realtime/own-writes.ts';
import {
  type ConversationUpdate,
  LATEST_CONVERSATIONS,
  withNewMessage,
  withoutContent,
  withUpdate,
} from './conversation.ts';

export const PATH = '/chat/conversations';

export type List = { data: Conversation[]; total: number; page: number; totalPages: number };

export const pageInput = (page: number) => ({ query: { ...LATEST_CONVERSATIONS, ...(page > 1 && { page }) } });
export const pageKey = (page: number) => keyOf<typeof listConversations>(`GET ${PATH}`, pageInput(page));
const conversationKey = (id: string) => keyOf<typeof getConversation>(`GET ${PATH}/:id`, { params: { id } });

const FIRST_PAGE = pageKey(1);

const includes = (data: unknown, id: string) => itemsOf(data).some(({ _id }) => _id === id);

/** The keys of all pages, but not of the list of a project. */
const PAGES = `${PATH}?limit=${LATEST_CONVERSATIONS.limit}&`;

const isOnShownLaterPage = (cache: QueryCache, id: string) =>
  [...cache].some(
    ([key, { data }]) => key !== FIRST_PAGE && key.startsWith(PAGES) && cache.isObserved(key) && includes(data, id),
  );

const change = (id: string, edit: (conversation: Conversation) => Conversation): Edit =>
  withChanged('conversation', id, (item) => edit(item as Conversation & typeof item) as typeof item);

const changeLastMessage = (id: string, seq: number, edit: (message: Message) => Message): Edit =>
  change(id, (conversation) => {
    // A deleted message stays deleted, even if a response that was requested before contains it.
    if (conversation.lastMessage?.seq !== seq || conversation.lastMessage.deleted) return conversation;
    return { ...conversation, lastMessage: edit(conversation.lastMessage) };
  });

/** The first page is stale if no page that is shown contains the conversation, which has to move to the top. */
export function withMessage(cache: QueryCache, message: Message): Edit {
  const id = message.conversation;
  const edit = change(id, (conversation) => withNewMessage(conversation, message));
  return (key, data) => {
    const isMissing = key === FIRST_PAGE && data !== undefined && !includes(data, id) && !isOnShownLaterPage(cache, id);
    return isMissing ? { data, isStale: true } : edit(key, data);
  };
}

export const withEditedMessage = (message: Message): Edit =>
  changeLastMessage(message.conversation, message.seq, () => message);

type DeletedMessage = Parameters<ChatServerEvents['message:deleted']>[0];

export const withDeletedMessage = ({ conversation, seq }: DeletedMessage): Edit =>
  changeLastMessage(conversation, seq, withoutContent);

export const withPreferences = (id: string, preferences: Partial<Preferences>): Edit =>
  change(id, (conversation) => ({
    ...conversation,
    preferences: { ...conversation.preferences, ...preferences },
  }));

/** Adds a conversation to the list, or updates it. */
export function withConversation(conversation: Conversation): Edit {
  const update = change(conversation._id, (existing) => withUpdate(existing, conversation));
  return (key, data) => {
    if (key !== FIRST_PAGE || data === undefined || includes(data, conversation._id)) return update(key, data);
    const list = data as List;
    return { data: { ...list, data: [conversation, ...list.data], total: list.total + 1 }, isStale: false };
  };
}

/**
 * Updates a conversation from a broadcast, whose participants are only the first ones. A response with all of them keeps
 * its version, so that the change on `/live` marks it stale.
 */
export function withBroadcast(update: ConversationUpdate): Edit {
  const ownKey = conversationKey(update._id);
  const updateListed = change(update._id, (existing) => withUpdate(existing, update));
  const updateItem = change(update._id, (existing) => {
    const { participants, version } = existing;
    return { ...withUpdate(existing, update), participants, version };
  });
  return (key, data) => (key === ownKey ? updateItem : updateListed)(key, data);
}

/** For a conversation that was deleted or left: its own response is requested again, and then not found. */
export function withoutConversation(id: string): Edit {
  const ownKey = conversationKey(id);
  const remove = withoutDeleted('conversation', ({ _id }) => _id === id);
  return (key, data) => (key === ownKey ? { data: undefined, isStale: data !== undefined } : remove(key, data));
}
