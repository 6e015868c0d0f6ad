import { randomUUID } from 'node:crypto';
import { services } from '@atrium/dev-server/system/services';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildMeeting, buildProject } from '../workspace/builders.ts';
import {
  type ApiResponse,
  type Client,
  createProjectWithConversation,
  createUser,
  expectStatus,
  send,
  setUpWorkspace,
  upload,
  waitForHealth,
} from '../workspace/workspace.ts';

const PROCESSES = [...services.map(({ name }) => name), 'gateway'];

let system: System;
let admin: Client;
let lena: Client;
let conversation: string;
let project: string;

beforeAll(async () => {
  system = await startSystem({ expectedErrors: [/was ended by SIGKILL/] });
  admin = await setUpWorkspace(system.url);
  const manager = await createUser(system.url, admin, { first: 'Jonas', role: 'project_manager' });
  ({ conversation, project } = await createProjectWithConversation(admin, manager, 'Talk during failures'));
  lena = await createUser(system.url, admin, { first: 'Lena', role: 'member' });
  await expectStatus(admin.call('POST', `/projects/${project}/team-members`, { userId: lena.id }), 200);
});
afterAll(() => system?.stop());

/** Sends like a browser: with the same client message id until the server has acknowledged it. */
async function sendUntilAcknowledged(content: string): Promise<number> {
  const body = { conversation, content, clientMessageId: randomUUID() };
  const seq = await waitFor(
    async () => {
      const response = await admin.call<{ seq: number }>('POST', '/chat/messages', body);
      return response.status === 201 ? response.body.seq : undefined;
    },
    { description: `${content} to be acknowledged`, timeoutMs: 60_000, intervalMs: 150 },
  );
  return seq;
}

/**
 * Repeats a write under one idempotency key until it is acknowledged, or until `successStatus` shows that an earlier
 * attempt succeeded.
 */
function write<T>(path: string, body: object, key: string, successStatus?: number): Promise<T> {
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
      const response = await send<T>(`${system.url}/api${path}`, init).catch(
        (): ApiResponse<T> | undefined => undefined,
      );
      return response && (response.status < 300 || response.status === successStatus) ? response.body : undefined;
    },
    { description: `${path} to be acknowledged`, timeoutMs: 60_000, intervalMs: 150 },
  );
}

const countIn = async (path: string, word: string, client = lena): Promise<number> => {
  const { status, body } = await client.call<{ data: object[] }>('GET', path);
  return status === 200 ? body.data.filter((item) => JSON.stringify(item).includes(word)).length : 0;
};

/**
 * Counts by Message-ID, as mail programs do: a process that is killed after the mail server's response but before
 * recording it has to send the email again (docs/self-hosting/operations.md).
 */
async function countEmails(address: string, word: string): Promise<number> {
  const response = await fetch(`${system.mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`);
  const { data } = (await response.json()) as { data: { subject: string; messageId: string | null }[] };
  const matching = data.filter(({ subject }) => subject.includes(word));
  return new Set(matching.map(({ messageId }) => messageId)).size;
}

/** Lena's name appears in counted items, so it must not contain the word. */
const lastNameFor = (word: string): string => word.replace('x', 'y');

/** A write that one service acknowledges, and its effect in another service, which `countArrived` counts. */
type Effect = {
  description: string;
  write(word: string): Promise<unknown>;
  countArrived(word: string): Promise<number>;
};

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

const EFFECTS: readonly Effect[] = [
  {
    description: 'an invitation in auth creates a user in users',
    write: (word) =>
      write(
        '/auth/invite',
        { email: `${word}@example.org`, firstName: word, lastName: 'Late', role: 'member' },
        word,
        409,
      ),
    countArrived: (word) => countIn(`/users?search=${word}&limit=100`, word),
  },
  {
    description: 'an invitation in auth makes notifications send one email',
    // The previous effect has written the invitation.
    write: async () => undefined,
    countArrived: (word) => countEmails(`${word}@example.org`, ''),
  },
  {
    description: 'a project in projects creates a conversation in chat',
    write: (word) => write('/projects', buildProject(word, admin, { teamMembers: [lena.id] }), word),
    countArrived: (word) => countIn('/chat/conversations?limit=100', `"${word}"`),
  },
  {
    description: 'a meeting in meetings makes notifications send one email',
    write: (word) =>
      write(
        '/meetings',
        buildMeeting(`Review ${word}`, { startTime: inHours(24), endTime: inHours(25), participants: [lena.id] }),
        word,
      ),
    countArrived: (word) => countEmails(lena.email, `Review ${word}`),
  },
  {
    description: 'a shared document in documents creates a notification in notifications',
    async write(word) {
      const { _id } = await waitFor(
        async () => {
          const response = await upload(system.url, admin, `Notes ${word}.txt`).catch(() => undefined);
          return response?.status === 201 ? response.body : undefined;
        },
        { description: 'the upload to be acknowledged', timeoutMs: 60_000, intervalMs: 150 },
      );
      await write(`/documents/${_id}/share`, { userIds: [lena.id] }, word);
    },
    countArrived: (word) => countIn('/notifications?limit=100', `Notes ${word}`),
  },
  {
    description: 'a name change in users shows in projects',
    write: (word) =>
      waitFor(
        async () =>
          (await admin.call('PATCH', `/users/${lena.id}`, { lastName: lastNameFor(word) }).catch(() => undefined))
            ?.status === 200,
        { description: 'the new name to be acknowledged', timeoutMs: 60_000, intervalMs: 150 },
      ),
    async countArrived(word) {
      // Only the last of several names is visible.
      const last = `${word.slice(0, word.lastIndexOf('x') + 1)}${POINTS.at(-1)}`;
      const { status, body } = await admin.call('GET', `/projects/${project}`);
      return status === 200 && JSON.stringify(body).includes(lastNameFor(last)) ? 1 : 0;
    },
  },
];

/** Numbers of the messages before which other services are written to: before the kill, right after it, and later. */
const POINTS = [5, 10, 20] as const;

const wordOf = (name: string, index: number): string => `${name}x${index}`;

describe('kill -9 of one process during chat', () => {
  it.each(PROCESSES)(
    '%s: no acknowledged write is lost or duplicated, in the service or in those that consume its events, and the service recovers',
    async (name) => {
      const killed = system.getProcess(name).pid;
      const acknowledged = new Map<string, number>();
      for (let index = 0; index < 30; index += 1) {
        if (index === 10) system.kill(name, 'SIGKILL');
        if (POINTS.some((point) => point === index))
          for (const effect of EFFECTS) await effect.write(wordOf(name, index));
        const content = `${name} ${index}`;
        acknowledged.set(content, await sendUntilAcknowledged(content));
      }
      await waitFor(() => system.getProcess(name).pid !== killed, {
        description: `${name} to be restarted`,
      });
      const readinessUrl = name === 'gateway' ? `${system.url}/api/health` : `${system.serviceUrl(name)}/readyz`;
      await waitFor(async () => (await fetch(readinessUrl)).ok, {
        description: `${name} to be ready`,
        intervalMs: 250,
      });
      await waitForHealth(system.url, 'ok');
      const { body } = await admin.call<{ data: { content: string; seq: number }[] }>(
        'GET',
        `/chat/messages?conversation=${conversation}&limit=30`,
      );
      expect(body.data.map(({ content, seq }) => [content, seq])).toEqual([...acknowledged]);
      const expectedEffects = EFFECTS.flatMap((effect) =>
        POINTS.map((point) => ({ effect, word: wordOf(name, point) })),
      );
      for (const { effect, word } of expectedEffects)
        await waitFor(async () => (await effect.countArrived(word)) > 0, {
          description: `${effect.description}: ${word}`,
          intervalMs: 250,
        });
      const counts = await Promise.all(
        expectedEffects.map(async ({ effect, word }) => [effect.description, word, await effect.countArrived(word)]),
      );
      expect(counts).toEqual(expectedEffects.map(({ effect, word }) => [effect.description, word, 1]));
    },
    600_000,
  );
});
