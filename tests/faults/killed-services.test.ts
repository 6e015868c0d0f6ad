import { randomUUID } from 'node:crypto';
import { type System, startSystem } from '@atrium/local/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProjectWithConversation, type Client, join, setUp, untilHealth } from '../flows/workspace.ts';

const PROCESSES = ['auth', 'users', 'projects', 'meetings', 'documents', 'notifications', 'chat', 'gateway'];

let system: System;
let admin: Client;
let conversation: string;

beforeAll(async () => {
  system = await startSystem();
  admin = await setUp(system.url);
  const manager = await join(system.url, admin, { first: 'Jonas', role: 'project_manager' });
  ({ conversation } = await aProjectWithConversation(admin, manager, 'Talk during faults'));
}, 240_000);
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

describe('kill -9 of any one process during chat', () => {
  it.each(PROCESSES)(
    '%s: nothing acknowledged is lost or doubled, and it comes back',
    async (name) => {
      const killed = system.part(name).pid;
      const acknowledged = new Map<string, number>();
      for (let index = 0; index < 30; index += 1) {
        if (index === 10) system.kill(name, 'SIGKILL');
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
    },
    240_000,
  );
});
