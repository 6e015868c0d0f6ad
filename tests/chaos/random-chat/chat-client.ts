import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Client } from '../../workspace/workspace.ts';
import {
  type Action,
  type ActionResponse,
  type ClientArgs,
  type DisplayedState,
  toConversationRow,
  toMessageLine,
} from './actions.ts';

/** A Team Chat client in a separate process. */
export type ChatClient = {
  user: Client;
  /** Performs an action; resolves with the state displayed after it and the server's error, if any. */
  act(action: Action): Promise<{ displayed: DisplayedState; error?: string }>;
  end(): Promise<void>;
};

/** The server's version of the state that a browser displays. */
export type ServerState = Pick<DisplayedState, 'messages' | 'conversations' | 'unread'>;

const TIMEOUT_MS = 90_000;

/** Resolves once the client shows the user's conversations. */
export async function startChatClient(url: string, user: Client): Promise<ChatClient> {
  const argument: ClientArgs = { url, accessToken: user.token, refreshToken: user.refreshToken };
  const child: ChildProcess = fork(new URL('./client-process.ts', import.meta.url), [JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const pendingResponses = new Map<number, (response: ActionResponse) => void>();
  let count = 0;
  const awaitResponse = (id: number, label: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<ActionResponse>();
    const timer = setTimeout(() => reject(new Error(`${user.name}: no response to ${label}`)), TIMEOUT_MS);
    pendingResponses.set(id, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    return promise;
  };
  child.on('message', (response: ActionResponse) => {
    pendingResponses.get(response.id)?.(response);
    pendingResponses.delete(response.id);
  });
  await awaitResponse(0, 'start');
  return {
    user,
    async act(action) {
      count += 1;
      const response = awaitResponse(count, action.do);
      child.send({ id: count, action });
      return response;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function fetchServerState(user: Client, open: string | null): Promise<ServerState> {
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await user.call<T>('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body;
  };
  const { data } = await get<{ data: Conversation[] }>('/chat/conversations?limit=100&people=6');
  const { total } = await get<{ total: number }>('/chat/unread');
  const messages =
    open === null ? [] : (await get<{ data: Message[] }>(`/chat/messages?conversation=${open}&limit=100`)).data;
  return { messages: messages.map(toMessageLine), conversations: data.map(toConversationRow), unread: total };
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
  const ids = new Set([...displayed.conversations, ...serverState.conversations].map(({ _id }) => _id));
  for (const id of ids) {
    const find = ({ conversations }: ServerState) => conversations.find(({ _id }) => _id === id);
    compare(`conversation ${id}`, find(displayed), find(serverState));
  }
  if (displayed.open === null) return differences;
  if (displayed.hasNewer) differences.push('the open conversation does not show its latest messages');
  const lastMessages = displayed.messages.slice(-serverState.messages.length);
  for (const [index, line] of serverState.messages.entries()) compare(`message ${line.seq}`, lastMessages[index], line);
  return differences;
}
