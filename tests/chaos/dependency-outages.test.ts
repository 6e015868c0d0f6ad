import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { io, type Socket } from 'socket.io-client';
import { ACTORS, createRoleFixture, projectBody, type RoleFixture } from '../flows/authorization/roles/role-fixture.ts';
import type { Row } from '../flows/authorization/roles/row.ts';
import { prepareCall } from '../flows/authorization/roles/row.ts';
import { describeRow, TABLE, TABLE_LIMITS } from '../flows/authorization/roles/table.ts';
import { type ApiResponse, expectStatus, upload, waitForConversation, waitForHealth } from '../workspace/workspace.ts';

let system: System;
let fixture: RoleFixture;

beforeAll(async () => {
  system = await startSystem({ env: TABLE_LIMITS, expectedErrors: [/Request failed/, /Client error reported/] });
  fixture = await createRoleFixture(system.url);
});
afterAll(() => system?.stop());

const actorOf = ({ statuses }: Row) => ACTORS.find((actor) => statuses[actor] < 300) ?? 'admin';

/**
 * Prepares every API call while all dependencies are up. The returned function runs the calls and returns those whose
 * status differs from the expected one.
 */
async function prepareAllCalls(): Promise<() => Promise<Record<string, number>>> {
  const prepared: { row: Row; call: () => Promise<ApiResponse> }[] = [];
  for (const row of TABLE) prepared.push({ row, call: await prepareCall(fixture, actorOf(row), row) });
  // The last account's event follows all others, but they are processed concurrently.
  const { id } = await fixture.make.user();
  await waitFor(async () => (await fixture.actors.admin.call('GET', `/users/${id}`)).status === 200, {
    description: 'the users service to know the last user',
  });
  await waitFor(hasProcessedAccounts, { description: 'the users service to know every user' });
  return async () => {
    const unexpectedStatuses: Record<string, number> = {};
    for (const { row, call } of prepared) {
      const { status } = await call();
      if (status !== row.statuses[actorOf(row)]) unexpectedStatuses[describeRow(row)] = status;
    }
    return unexpectedStatuses;
  };
}

/** Returns whether the users service has processed all events of the auth service. */
async function hasProcessedAccounts(): Promise<boolean> {
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

const createProject = (name: string) =>
  expectStatus(fixture.actors.admin.call('POST', '/projects', { ...projectBody(fixture.actors), name }), 201);

async function emailsTo(address: string): Promise<{ subject: string }[]> {
  const response = await fetch(`${system.mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`);
  return ((await response.json()) as { data: { subject: string }[] }).data;
}

describe('during a dependency outage', () => {
  it('NATS outage: all reads and writes succeed, and their events are published from the outbox later', async () => {
    const callAll = await prepareAllCalls();
    await system.stopBacking('nats');
    await waitForHealth(system.url, 'degraded');
    // Document Hub cannot reserve quota for the file before it responds, so the save is queued; the response says so.
    expect(await callAll()).toEqual({ 'POST /chat/attachments/:id/save': 503 });
    await createProject('Made without NATS');
    await system.startBacking('nats');
    await waitForConversation(fixture.actors.manager, 'Made without NATS', 60_000);
    await waitForHealth(system.url, 'ok');
  });

  it('MinIO outage: uploads and previews respond with 503, everything else succeeds', async () => {
    const callAll = await prepareAllCalls();
    await system.stopBacking('objects');
    await waitForHealth(system.url, 'degraded');
    expect(await callAll()).toEqual({
      'GET /documents/:id/preview': 503,
      'GET /chat/attachments/:id/preview': 503,
      'POST /documents/upload': 503,
      'POST /documents/uploads': 503,
      'POST /documents/uploads, uploading a new version': 503,
      'GET /documents/uploads/:id': 503,
      'PUT /documents/uploads/:id/parts/:number': 503,
      'POST /documents/uploads/:id/complete': 503,
      'POST /documents/:id/versions': 503,
      'POST /chat/messages, with a file': 503,
    });
    const rejected = await upload(system.url, fixture.actors.manager, 'without-store.txt');
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).not.toBeNull();
    await system.startBacking('objects');
    await waitForHealth(system.url, 'ok');
    expect((await upload(system.url, fixture.actors.manager, 'with-store.txt')).status).toBe(201);
  });

  it('SMTP outage: invitations are accepted, and their emails are sent once, later', async () => {
    const callAll = await prepareAllCalls();
    await system.stopBacking('mailbox');
    const invitation = { email: 'later@example.org', firstName: 'Late', lastName: 'Mail', role: 'member' };
    const invited = await fixture.actors.admin.call('POST', '/auth/invite', invitation);
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({ delivery: 'queued' });
    await waitForHealth(system.url, 'degraded');
    expect(await callAll()).toEqual({});
    await system.startBacking('mailbox');
    await waitFor(async () => (await emailsTo('later@example.org')).length > 0, {
      description: 'the email',
      intervalMs: 250,
    });
    await waitForHealth(system.url, 'ok');
    expect(await emailsTo('later@example.org')).toHaveLength(1);
  });

  it('MongoDB outage: notifications respond with 503, everything else succeeds', async () => {
    const callAll = await prepareAllCalls();
    const notifications = async () => (await fixture.actors.manager.call('GET', '/notifications')).status;
    expect(await notifications()).toBe(200);
    await system.stopBacking('mongo');
    await waitForHealth(system.url, 'degraded');
    expect(await callAll()).toEqual({
      'GET /activity': 503,
      'GET /notifications': 503,
      'POST /notifications/read': 503,
    });
    await system.startBacking('mongo');
    await waitForHealth(system.url, 'ok');
    await waitFor(async () => (await notifications()) === 200, {
      description: 'notifications',
      intervalMs: 250,
    });
  });

  it('Redis outage: all HTTP calls succeed, and an open socket receives new messages', async () => {
    const { manager, member } = fixture.actors;
    const callAll = await prepareAllCalls();
    const conversation = await fixture.make.group();
    const { socket, received } = await listen(member.token);
    await system.stopBacking('redis');
    await waitForHealth(system.url, 'degraded');
    expect(await callAll()).toEqual({});
    const send = (content: string) =>
      expectStatus(manager.call('POST', '/chat/messages', { conversation, content }), 201);
    await send('Without Redis');
    await waitFor(() => received.includes('Without Redis'), { description: 'the message without Redis to arrive' });
    await system.startBacking('redis');
    await waitForHealth(system.url, 'ok');
    await send('With Redis again');
    await waitFor(() => received.includes('With Redis again'), { description: 'the message with Redis to arrive' });
    expect(socket.connected).toBe(true);
    socket.disconnect();
  });
});

/** Does not reconnect, so that a dropped connection is visible to the test. */
async function listen(token: string): Promise<{ socket: Socket; received: string[] }> {
  const options = { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(`${system.url}/chat`, options);
  const received: string[] = [];
  socket.on('message:new', ({ message }: { message: { content: string } }) => void received.push(message.content));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, received };
}
