import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { io, type Socket } from 'socket.io-client';
import { prepareCall } from '../flows/authorization/roles/call.ts';
import { ACTORS, makeWorld, projectBody, type World } from '../flows/authorization/roles/role-fixture.ts';
import type { Row } from '../flows/authorization/roles/row.ts';
import { nameOf, PLENTY, TABLE } from '../flows/authorization/roles/table.ts';
import { type Answer, conversationOf, demand, untilHealth, upload } from '../flows/workspace.ts';

let system: System;
let world: World;

beforeAll(async () => {
  system = await startSystem({ env: PLENTY, provokes: [/a request failed/, /a browser met a fault/] });
  world = await makeWorld(system.url);
}, 600_000);
afterAll(() => system?.stop(), 90_000);

/** Whoever is let do it. */
const actorOf = ({ statuses }: Row) => ACTORS.find((who) => statuses[who] < 300) ?? 'admin';

/**
 * Every call of the product, each on things that are made now, while all is well. What it answers makes the calls, and tells those that
 * came out otherwise than on a good day.
 */
async function prepareEverything(): Promise<() => Promise<Record<string, number>>> {
  const prepared: { row: Row; call: () => Promise<Answer> }[] = [];
  for (const row of TABLE) prepared.push({ row, call: await prepareCall(world, actorOf(row), row) });
  // With the last account all have been published; they reach the users service side by side.
  const { id } = await world.make.person();
  await waitFor(async () => (await world.actors.admin.call('GET', `/users/${id}`)).status === 200, {
    what: 'the users service to know the last person',
  });
  await waitFor(hasEverybody, { what: 'the users service to know everybody' });
  return async () => {
    const unusual: Record<string, number> = {};
    for (const { row, call } of prepared) {
      const { status } = await call();
      if (status !== row.statuses[actorOf(row)]) unusual[nameOf(row)] = status;
    }
    return unusual;
  };
}

/** Whether the users service has handled all that auth has told. */
async function hasEverybody(): Promise<boolean> {
  const { url = '', user = '', password = '' } = system.backing.addresses.nats ?? {};
  const connection = await connect({ servers: url, user, pass: password });
  try {
    const { consumers } = await jetstreamManager(connection);
    const { num_pending, num_ack_pending } = await consumers.info('atrium_auth', 'users-accounts');
    return num_pending + num_ack_pending === 0;
  } finally {
    await connection.close();
  }
}

const makeProject = (name: string) =>
  demand(world.actors.admin.call('POST', '/projects', { ...projectBody(world.actors), name }), 201);

async function mailsTo(address: string): Promise<{ subject: string }[]> {
  const response = await fetch(`${system.mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`);
  return ((await response.json()) as { data: { subject: string }[] }).data;
}

describe('with a part away, only what needs it stops, and it comes back by itself', () => {
  it('NATS: all reads and writes succeed, their events wait in the outbox and arrive later', async () => {
    const callEverything = await prepareEverything();
    await system.stopBacking('nats');
    await untilHealth(system.url, 'degraded');
    // Document Hub cannot reserve room for the file before the answer; it saves the file later, as the answer says.
    expect(await callEverything()).toEqual({ 'POST /chat/attachments/:id/save': 503 });
    await makeProject('Made without NATS');
    await system.startBacking('nats');
    await conversationOf(world.actors.manager, 'Made without NATS', 60_000);
    await untilHealth(system.url, 'ok');
  }, 240_000);

  it('MinIO: uploads and previews answer 503, everything else goes on', async () => {
    const callEverything = await prepareEverything();
    await system.stopBacking('objects');
    await untilHealth(system.url, 'degraded');
    expect(await callEverything()).toEqual({
      'GET /documents/:id/preview': 503,
      'GET /chat/attachments/:id/preview': 503,
      'POST /documents/upload': 503,
      'POST /documents/uploads': 503,
      'POST /documents/uploads, of a new version': 503,
      'GET /documents/uploads/:id': 503,
      'PUT /documents/uploads/:id/parts/:number': 503,
      'POST /documents/uploads/:id/complete': 503,
      'POST /documents/:id/versions': 503,
      'POST /chat/messages, with a file': 503,
    });
    const refused = await upload(system.url, world.actors.manager, 'without-store.txt');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    await system.startBacking('objects');
    await untilHealth(system.url, 'ok');
    expect((await upload(system.url, world.actors.manager, 'with-store.txt')).status).toBe(201);
  }, 240_000);

  it('SMTP: invitations are accepted and their mails leave once, later', async () => {
    const callEverything = await prepareEverything();
    await system.stopBacking('mailbox');
    const invitation = { email: 'later@example.org', firstName: 'Late', lastName: 'Mail', role: 'member' };
    const invited = await world.actors.admin.call('POST', '/auth/invite', invitation);
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({ delivery: 'queued' });
    await untilHealth(system.url, 'degraded');
    expect(await callEverything()).toEqual({});
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
    const callEverything = await prepareEverything();
    const notifications = async () => (await world.actors.manager.call('GET', '/notifications')).status;
    expect(await notifications()).toBe(200);
    await system.stopBacking('mongo');
    await untilHealth(system.url, 'degraded');
    expect(await callEverything()).toEqual({
      'GET /activity': 503,
      'GET /notifications': 503,
      'POST /notifications/read': 503,
    });
    await system.startBacking('mongo');
    await untilHealth(system.url, 'ok');
    await waitFor(async () => (await notifications()) === 200, {
      what: 'notifications',
      timeoutMs: 60_000,
      everyMs: 250,
    });
  }, 240_000);

  it('Redis: everything over HTTP goes on, and an open socket hears what is said', async () => {
    const { manager, member } = world.actors;
    const callEverything = await prepareEverything();
    const conversation = await world.make.group();
    const { socket, heard } = await listen(member.token);
    await system.stopBacking('redis');
    await untilHealth(system.url, 'degraded');
    expect(await callEverything()).toEqual({});
    const say = (content: string) => demand(manager.call('POST', '/chat/messages', { conversation, content }), 201);
    await say('Without Redis');
    await waitFor(() => heard.includes('Without Redis'), { what: 'the message without Redis to be heard' });
    await system.startBacking('redis');
    await untilHealth(system.url, 'ok');
    await say('With Redis again');
    await waitFor(() => heard.includes('With Redis again'), { what: 'the message with Redis to be heard' });
    expect(socket.connected).toBe(true);
    socket.disconnect();
  }, 240_000);
});

/** Somebody's open chat, and what they hear in it; a line that breaks stays broken. */
async function listen(token: string): Promise<{ socket: Socket; heard: string[] }> {
  const options = { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(`${system.url}/chat`, options);
  const heard: string[] = [];
  socket.on('message:new', ({ message }: { message: { content: string } }) => void heard.push(message.content));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, heard };
}
