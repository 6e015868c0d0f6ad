import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Client } from '../../workspace/workspace.ts';
import { type Action, type ActionResponse, type ClientArgs, lineOf, rowOf, type Shown } from './actions.ts';

/** A Team Chat client in a process of its own. */
export type ChatClient = {
  person: Client;
  /** Performs an action; resolves with what is shown afterwards and the server's error, if any. */
  act(action: Action): Promise<{ shown: Shown; error?: string }>;
  end(): Promise<void>;
};

/** The server's state of what a browser shows. */
export type ServerState = Pick<Shown, 'messages' | 'conversations' | 'unread'>;

const TIMEOUT_MS = 90_000;

/** Resolves once the client shows the user's conversations. */
export async function startChatClient(url: string, person: Client): Promise<ChatClient> {
  const argument: ClientArgs = { url, accessToken: person.token, refreshToken: person.refreshToken };
  const child: ChildProcess = fork(new URL('./client-process.ts', import.meta.url), [JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const waiting = new Map<number, (response: ActionResponse) => void>();
  let count = 0;
  const awaitResponse = (id: number, what: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<ActionResponse>();
    const timer = setTimeout(() => reject(new Error(`${person.name}: no response to ${what}`)), TIMEOUT_MS);
    waiting.set(id, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    return promise;
  };
  child.on('message', (response: ActionResponse) => {
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  await awaitResponse(0, 'its start');
  return {
    person,
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

export async function fetchServerState(person: Client, open: string | null): Promise<ServerState> {
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await person.call<T>('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body;
  };
  const { data } = await get<{ data: Conversation[] }>('/chat/conversations?limit=100&people=6');
  const { total } = await get<{ total: number }>('/chat/unread');
  const messages =
    open === null ? [] : (await get<{ data: Message[] }>(`/chat/messages?conversation=${open}&limit=100`)).data;
  return { messages: messages.map(lineOf), conversations: data.map(rowOf), unread: total };
}

/** Returns one line per difference; an empty array if the browser shows the server's state. */
export function listDifferences(shown: Shown, saved: ServerState): string[] {
  const differences: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      differences.push(`${what}: shown ${JSON.stringify(actual)}, saved ${JSON.stringify(expected)}`);
  };
  if (!shown.isConnected) differences.push('not connected');
  compare('unread', shown.unread, saved.unread);
  const ids = new Set([...shown.conversations, ...saved.conversations].map(({ _id }) => _id));
  for (const id of ids) {
    const [actual, expected] = [shown, saved].map(({ conversations }) => conversations.find(({ _id }) => _id === id));
    compare(`conversation ${id}`, actual, expected);
  }
  if (shown.open === null) return differences;
  if (shown.hasNewer) differences.push('the open conversation does not show its latest messages');
  const end = shown.messages.slice(-saved.messages.length);
  for (const [index, line] of saved.messages.entries()) compare(`message ${line.seq}`, end[index], line);
  return differences;
}
