import { randomUUID } from 'node:crypto';
import { services } from '@atrium/dev-server/system/services';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  aProjectWithConversation,
  type Client,
  demand,
  join,
  send,
  setUp,
  untilHealth,
  upload,
} from '../flows/workspace.ts';

const PROCESSES = [...services.map(({ name }) => name), 'gateway'];

let system: System;
let admin: Client;
let lena: Client;
let conversation: string;
let project: string;

beforeAll(async () => {
  system = await startSystem({ provokes: [/was ended by SIGKILL/] });
  admin = await setUp(system.url);
  const manager = await join(system.url, admin, { first: 'Jonas', role: 'project_manager' });
  ({ conversation, project } = await aProjectWithConversation(admin, manager, 'Talk during faults'));
  lena = await join(system.url, admin, { first: 'Lena', role: 'member' });
  await demand(admin.call('POST', `/projects/${project}/team-members`, { userId: lena.id }), 200);
}, 600_000);
afterAll(() => system?.stop(), 90_000);

/** Sends as a browser does: the same client message id until the server has acknowledged it. */
async function sendUntilAcknowledged(content: string): Promise<number> {
  const body = { conversation, content, clientMessageId: randomUUID() };
  const seq = await waitFor(
    async () => {
      const answer = await admin.call<{ seq: number }>('POST', '/chat/messages', body);
      return answer.status === 201 ? answer.body.seq : undefined;
    },
    { what: `${content} to be acknowledged`, timeoutMs: 60_000, everyMs: 150 },
  );
  return seq;
}

/** Repeats a write under one key until the server has acknowledged it; `taken` says that an answer that was lost had done so. */
function write<T>(path: string, body: object, key: string, taken?: number): Promise<T> {
  const init = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  };
  return waitFor(
    async () => {
      const answer = await send<T>(`${system.url}/api${path}`, init).catch((): Answer<T> | undefined => undefined);
      return answer && (answer.status < 300 || answer.status === taken) ? answer.body : undefined;
    },
    { what: `${path} to be acknowledged`, timeoutMs: 60_000, everyMs: 150 },
  );
}

const countIn = async (path: string, word: string, who = lena): Promise<number> => {
  const { status, body } = await who.call<{ data: object[] }>('GET', path);
  return status === 200 ? body.data.filter((item) => JSON.stringify(item).includes(word)).length : 0;
};

/**
 * As the addressee counts them, whose mail program shows two of one Message-ID once: what was killed between the mail server's answer and
 * the note of it must send again, since SMTP has no way to ask (see docs/self-hosting/operations.md, "a pod dies").
 */
async function countMails(address: string, word: string): Promise<number> {
  const response = await fetch(`${system.mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`);
  const { data } = (await response.json()) as { data: { subject: string; messageId: string | null }[] };
  const found = data.filter(({ subject }) => subject.includes(word));
  return new Set(found.map(({ messageId }) => messageId)).size;
}

/** Lena's name stands beside what is counted, so it must not hold the word. */
const nameOf = (word: string): string => word.replace('x', 'y');

/** What one service acknowledges and another must have done then, once: `arrived` counts it there. */
type Effect = { what: string; write(word: string): Promise<unknown>; arrived(word: string): Promise<number> };

const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

const EFFECTS: readonly Effect[] = [
  {
    what: 'an invitation by auth is a person of users',
    write: (word) =>
      write(
        '/auth/invite',
        { email: `${word}@example.org`, firstName: word, lastName: 'Late', role: 'member' },
        word,
        409,
      ),
    arrived: (word) => countIn(`/users?search=${word}&limit=100`, word),
  },
  {
    what: 'and one mail by notifications',
    write: async () => undefined,
    arrived: (word) => countMails(`${word}@example.org`, ''),
  },
  {
    what: 'a project of projects is a conversation of chat',
    write: (word) =>
      write(
        '/projects',
        {
          name: word,
          description: 'Made during faults',
          projectManager: admin.id,
          teamMembers: [lena.id],
          priority: 'low',
          status: 'in-progress',
        },
        word,
      ),
    arrived: (word) => countIn('/chat/conversations?limit=100', `"${word}"`),
  },
  {
    what: 'a meeting of meetings is one mail by notifications',
    write: (word) =>
      write(
        '/meetings',
        {
          title: `Review ${word}`,
          type: 'standup',
          startTime: inHours(24),
          endTime: inHours(25),
          meetingLink: 'https://meet.example.org/faults',
          participants: [lena.id],
        },
        word,
      ),
    arrived: (word) => countMails(lena.email, `Review ${word}`),
  },
  {
    what: 'a document that documents shares is a notice by notifications',
    async write(word) {
      const { _id } = await waitFor(
        async () => {
          const answer = await upload(system.url, admin, `Notes ${word}.txt`).catch(() => undefined);
          return answer?.status === 201 ? answer.body : undefined;
        },
        { what: 'the upload to be acknowledged', timeoutMs: 60_000, everyMs: 150 },
      );
      await write(`/documents/${_id}/share`, { userIds: [lena.id] }, word);
    },
    arrived: (word) => countIn('/notifications?limit=100', `Notes ${word}`),
  },
  {
    what: 'a name that users changes is the name that projects shows',
    write: (word) =>
      waitFor(
        async () =>
          (await admin.call('PATCH', `/users/${lena.id}`, { lastName: nameOf(word) }).catch(() => undefined))
            ?.status === 200,
        { what: 'the new name to be acknowledged', timeoutMs: 60_000, everyMs: 150 },
      ),
    async arrived(word) {
      // Only the last of several names is left to be seen.
      const last = `${word.slice(0, word.lastIndexOf('x') + 1)}${POINTS.at(-1)}`;
      const { status, body } = await admin.call('GET', `/projects/${project}`);
      return status === 200 && JSON.stringify(body).includes(nameOf(last)) ? 1 : 0;
    },
  },
];

/** After which messages the other services are written to as well: before the kill, at once after it, and later. */
const POINTS = [5, 10, 20] as const;

const wordOf = (name: string, index: number): string => `${name}x${index}`;

describe('kill -9 of any one process during chat', () => {
  it.each(PROCESSES)(
    '%s: nothing acknowledged is lost or doubled, in the service itself and in those that follow it, and it comes back',
    async (name) => {
      const killed = system.part(name).pid;
      const acknowledged = new Map<string, number>();
      for (let index = 0; index < 30; index += 1) {
        if (index === 10) system.kill(name, 'SIGKILL');
        if (POINTS.some((point) => point === index))
          for (const effect of EFFECTS) await effect.write(wordOf(name, index));
        const content = `${name} ${index}`;
        acknowledged.set(content, await sendUntilAcknowledged(content));
      }
      await waitFor(() => system.part(name).pid !== killed, { what: `${name} to be started again`, timeoutMs: 60_000 });
      const own = name === 'gateway' ? `${system.url}/api/health` : `${system.serviceUrl(name)}/readyz`;
      await waitFor(async () => (await fetch(own)).ok, {
        what: `${name} to be ready`,
        timeoutMs: 60_000,
        everyMs: 250,
      });
      await untilHealth(system.url, 'ok');
      const { body } = await admin.call<{ data: { content: string; seq: number }[] }>(
        'GET',
        `/chat/messages?conversation=${conversation}&limit=30`,
      );
      expect(body.data.map(({ content, seq }) => [content, seq])).toEqual([...acknowledged]);
      const wanted = EFFECTS.flatMap((effect) => POINTS.map((point) => ({ effect, word: wordOf(name, point) })));
      for (const { effect, word } of wanted)
        await waitFor(async () => (await effect.arrived(word)) > 0, {
          what: `${effect.what}: ${word}`,
          timeoutMs: 60_000,
          everyMs: 250,
        });
      const counts = await Promise.all(
        wanted.map(async ({ effect, word }) => [effect.what, word, await effect.arrived(word)]),
      );
      expect(counts).toEqual(wanted.map(({ effect, word }) => [effect.what, word, 1]));
    },
    600_000,
  );
});
