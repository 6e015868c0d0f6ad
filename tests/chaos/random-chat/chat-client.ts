import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Client } from '../../workspace/workspace.ts';
import { type ClientProcess, startClientProcess } from '../client-process/client-process.ts';
import { type Action, type ConversationRow, type DisplayedState, toConversationRow, toMessageLine } from './actions.ts';

export type ChatClient = ClientProcess<Action, DisplayedState>;

/** `firstUnreadSeq` is that of the first unread message of another user. */
type ServerRow = ConversationRow & { firstUnreadSeq: number };
/** The server's version of the state that a browser displays. */
export type ServerState = Pick<DisplayedState, 'messages' | 'unread' | 'unreadReplies'> & {
  conversations: readonly ServerRow[];
};

/** Resolves once the client shows the user's conversations. */
export const startChatClient = (url: string, user: Client): Promise<ChatClient> =>
  startClientProcess<Action, DisplayedState>(new URL('./chat-browser.ts', import.meta.url), user, {
    url,
    accessToken: user.token,
    refreshToken: user.refreshToken,
  });

export async function fetchServerState(user: Client, open: string | null): Promise<ServerState> {
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await user.call<T>('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body;
  };
  const listMessages = async (conversation: string, query: string) =>
    (await get<{ data: Message[] }>(`/chat/messages?conversation=${conversation}&limit=100${query}`)).data;
  const findFirstUnread = async ({ _id, lastSeq, lastReadSeq, unreadCount }: Conversation) => {
    const messages = unreadCount === 0 ? [] : await listMessages(_id, `&after=${lastReadSeq}`);
    return messages.find(({ sender }) => sender._id !== user.id)?.seq ?? lastSeq + 1;
  };
  const { data } = await get<{ data: Conversation[] }>('/chat/conversations?limit=100&people=6');
  const { total, threads } = await get<{ total: number; threads: number }>('/chat/unread');
  const messages = open === null ? [] : await listMessages(open, '');
  const conversations = await Promise.all(
    data.map(async (item) => ({ ...toConversationRow(item), firstUnreadSeq: await findFirstUnread(item) })),
  );
  return { messages: messages.map(toMessageLine), conversations, unread: total, unreadReplies: threads };
}

/** Returns one line per difference; an empty array if the browser shows the server's state. */
export function listDifferences(displayed: DisplayedState, serverState: ServerState): string[] {
  const differences: string[] = [];
  const compare = (label: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      differences.push(`${label}: displayed ${JSON.stringify(actual)}, server ${JSON.stringify(expected)}`);
  };
  if (!displayed.isConnected) differences.push('not connected');
  compare('unread', displayed.unread, serverState.unread);
  compare('unread replies', displayed.unreadReplies, serverState.unreadReplies);
  const ids = new Set([...displayed.conversations, ...serverState.conversations].map(({ _id }) => _id));
  for (const id of ids) {
    const row = displayed.conversations.find(({ _id }) => _id === id);
    const expected = serverState.conversations.find(({ _id }) => _id === id);
    compare(`conversation ${id}`, row, expected && toDisplayed(expected, row));
  }
  if (displayed.open === null) return differences;
  if (displayed.hasNewer) differences.push('the open conversation does not show its latest messages');
  const lastMessages = displayed.messages.slice(-serverState.messages.length);
  for (const [index, line] of serverState.messages.entries()) compare(`message ${line.seq}`, lastMessages[index], line);
  return differences;
}

/** A browser's read position may include the user's own messages that follow the server's. */
function toDisplayed({ firstUnreadSeq, ...row }: ServerRow, displayed: ConversationRow | undefined): ConversationRow {
  const lastReadSeq = Math.max(row.lastReadSeq, Math.min(displayed?.lastReadSeq ?? 0, firstUnreadSeq - 1));
  return { ...row, lastReadSeq };
}
