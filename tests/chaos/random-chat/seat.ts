import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Client } from '../../flows/workspace.ts';
import { type Action, type Answered, type Given, lineOf, rowOf, type Shown } from './actions.ts';

/** Somebody at Team Chat, in a process of their own. */
export type Seat = {
  person: Client;
  /** Does it, and answers what is shown then and whether the server refused it. */
  act(action: Action): Promise<{ shown: Shown; refused?: string }>;
  end(): Promise<void>;
};

/** What the server has of what a browser shows. */
export type Kept = Pick<Shown, 'messages' | 'conversations' | 'unread'>;

const PATIENCE_MS = 90_000;

/** Opens Team Chat for somebody; resolved once it shows their conversations. */
export async function openSeat(url: string, person: Client): Promise<Seat> {
  const given: Given = { url, accessToken: person.token, refreshToken: person.refreshToken };
  const child: ChildProcess = fork(new URL('./client.ts', import.meta.url), [JSON.stringify(given)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const waiting = new Map<number, (answered: Answered) => void>();
  let count = 0;
  const answerOf = (id: number, what: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const timer = setTimeout(() => reject(new Error(`${person.name}: no answer to ${what}`)), PATIENCE_MS);
    waiting.set(id, (answered) => {
      clearTimeout(timer);
      resolve(answered);
    });
    return promise;
  };
  child.on('message', (answered: Answered) => {
    waiting.get(answered.id)?.(answered);
    waiting.delete(answered.id);
  });
  await answerOf(0, 'its start');
  return {
    person,
    async act(action) {
      count += 1;
      const answered = answerOf(count, action.do);
      child.send({ id: count, action });
      return answered;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Asks the server for what a browser with that conversation open has to show. */
export async function keptFor(person: Client, open: string | null): Promise<Kept> {
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

/** In words, what of it a browser does not show as the server has it; none where they are the same. */
export function differences(shown: Shown, kept: Kept): string[] {
  const found: string[] = [];
  const note = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other))
      found.push(`${what}: shown ${JSON.stringify(one)}, kept ${JSON.stringify(other)}`);
  };
  if (!shown.isConnected) found.push('not connected');
  note('unread', shown.unread, kept.unread);
  const ids = new Set([...shown.conversations, ...kept.conversations].map(({ _id }) => _id));
  for (const id of ids) {
    const [one, other] = [shown, kept].map(({ conversations }) => conversations.find(({ _id }) => _id === id));
    note(`conversation ${id}`, one, other);
  }
  if (shown.open === null) return found;
  if (shown.hasNewer) found.push('the open conversation does not reach its end');
  const end = shown.messages.slice(-kept.messages.length);
  for (const [index, line] of kept.messages.entries()) note(`message ${line.seq}`, end[index], line);
  return found;
}
