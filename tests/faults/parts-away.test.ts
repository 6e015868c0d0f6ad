import { type System, startSystem } from '@atrium/local/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, conversationOf, join, setUp, untilHealth, upload } from '../flows/workspace.ts';

let system: System;
let admin: Client;
let manager: Client;

beforeAll(async () => {
  system = await startSystem();
  admin = await setUp(system.url);
  manager = await join(system.url, admin, { first: 'Jonas', role: 'project_manager' });
}, 240_000);
afterAll(() => system?.stop(), 90_000);

const projectBody = (name: string) => ({
  name,
  description: 'Made while a part is away',
  projectManager: manager.id,
  teamMembers: [],
  priority: 'low',
  status: 'not-started',
});

async function mailsTo(address: string): Promise<{ subject: string }[]> {
  const response = await fetch(`${system.mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`);
  return ((await response.json()) as { data: { subject: string }[] }).data;
}

describe('with a part away, only what needs it stops, and it comes back by itself', () => {
  it('NATS: writes succeed, their events wait in the outbox and arrive later', async () => {
    await system.stopBacking('nats');
    await untilHealth(system.url, 'degraded');
    const created = await admin.call('POST', '/projects', projectBody('Made without NATS'));
    expect(created.status).toBe(201);
    expect((await manager.call('GET', '/projects')).status).toBe(200);
    await system.startBacking('nats');
    await conversationOf(manager, 'Made without NATS', 60_000);
    await untilHealth(system.url, 'ok');
  }, 240_000);

  it('MinIO: uploads answer 503, everything else goes on', async () => {
    await system.stopBacking('objects');
    await untilHealth(system.url, 'degraded');
    const refused = await upload(system.url, manager, 'without-store.txt');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await manager.call('GET', '/documents')).status).toBe(200);
    expect((await admin.call('POST', '/projects', projectBody('Made without MinIO'))).status).toBe(201);
    await system.startBacking('objects');
    await untilHealth(system.url, 'ok');
    expect((await upload(system.url, manager, 'with-store.txt')).status).toBe(201);
  }, 240_000);

  it('SMTP: invitations are accepted and their mails leave once, later', async () => {
    await system.stopBacking('mailbox');
    const invitation = { email: 'later@example.org', firstName: 'Late', lastName: 'Mail', role: 'member' };
    const invited = await admin.call('POST', '/auth/invite', invitation);
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({ delivery: 'queued' });
    await untilHealth(system.url, 'degraded');
    await system.startBacking('mailbox');
    await waitFor(async () => (await mailsTo('later@example.org')).length > 0, {
      what: 'the mail',
      timeoutMs: 60_000,
      everyMs: 250,
    });
    await untilHealth(system.url, 'ok');
    expect(await mailsTo('later@example.org')).toHaveLength(1);
  }, 240_000);

  it('MongoDB: notifications answer 503, everything else goes on', async () => {
    expect((await manager.call('GET', '/notifications')).status).toBe(200);
    await system.stopBacking('mongo');
    await untilHealth(system.url, 'degraded');
    expect((await manager.call('GET', '/notifications')).status).toBe(503);
    expect((await admin.call('POST', '/projects', projectBody('Made without MongoDB'))).status).toBe(201);
    await system.startBacking('mongo');
    await untilHealth(system.url, 'ok');
    await waitFor(async () => (await manager.call('GET', '/notifications')).status === 200, {
      what: 'notifications',
      timeoutMs: 60_000,
      everyMs: 250,
    });
  }, 240_000);

  it('Redis: chat over HTTP goes on and limits fail open', async () => {
    const conversation = await conversationOf(manager, 'Made without NATS');
    await system.stopBacking('redis');
    await untilHealth(system.url, 'degraded');
    const sent = await manager.call('POST', '/chat/messages', { conversation, content: 'Without Redis' });
    expect(sent.status).toBe(201);
    expect((await admin.call('GET', '/projects')).status).toBe(200);
    await system.startBacking('redis');
    await untilHealth(system.url, 'ok');
  }, 240_000);
});
