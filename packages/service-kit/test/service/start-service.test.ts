import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoint } from '@atrium/proto-events/endpoint';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import { handle } from '@atrium/service-kit/http/handle';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import { startService } from '@atrium/service-kit/service/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { exampleEvent, NOTES_MIGRATIONS } from '../notes.ts';
import { quiet, recreateStreams } from '../pods.ts';
import { startPrivateNats } from '../private-nats.ts';

const writeNote = endpoint({ method: 'POST', path: '/notes', summary: 'Write', access: 'public', status: 204 });

/** A minimal service: one write and its event. */
const notesService = (steps: string[] = [], hold?: Promise<void>): PostgresService<z.infer<typeof postgresEnv>> => ({
  name: 'notes',
  migrations: NOTES_MIGRATIONS,
  create: ({ db }) => ({
    routes: [
      handle(writeNote, async () => {
        await db.transaction(async (tx) => {
          steps.push('write');
          await hold;
          steps.push('written');
          await appendEvent(tx, { event: exampleEvent, data: { note: 'a', n: 1 }, aggregate: 'a', actorId: null });
        });
      }),
    ],
    maxRequestMs: 1_000,
    onReady: async () => void steps.push('ready'),
    beforeShutdown: async () => void steps.push('close'),
    afterShutdown: async () => void steps.push(db.pool.ending ? 'end without a database' : 'end'),
  }),
});

const resources = closeAfterEach();

type Options = { steps?: string[]; hold?: Promise<void>; env?: Record<string, string> };

async function start(natsUrl: string, { steps, hold, env: extraEnv }: Options = {}) {
  const { prefix } = await testNats();
  const env = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    NATS_URL: natsUrl,
    NATS_PREFIX: prefix,
    DATABASE_URL: await testDatabase('notes'),
    ...extraEnv,
  };
  const service = await startService(notesService(steps, hold), readEnv(postgresEnv, env));
  resources.push(service);
  const readReadiness = async () => {
    const response = await fetch(`${service.url}/readyz`);
    const { parts } = (await response.json()) as { parts: Record<string, string> };
    return { status: response.status, parts };
  };
  return { service, prefix, readReadiness, write: () => fetch(`${service.url}/api/notes`, { method: 'POST' }) };
}

describe('startService', () => {
  it('responds 503 until the schema is migrated', async () => {
    const steps: string[] = [];
    const { write, readReadiness } = await start((await testNats()).url, { steps, env: { MIGRATIONS: 'wait' } });
    const response = await write();
    expect([response.status, response.headers.get('retry-after'), steps]).toEqual([503, '5', []]);
    expect(await readReadiness()).toMatchObject({ status: 503 });
  });

  it('is ready once the schema is migrated and the directory has caught up', async () => {
    const nats = await testNats();
    const steps: string[] = [];
    const { service, readReadiness } = await start(nats.url, { steps });
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    expect((await readReadiness()).parts).toEqual({ postgres: 'ok', directory: 'ok', nats: 'ok' });
    await waitFor(() => steps.includes('ready'), { description: 'onReady' });
  });

  it('closes a request that does not arrive in time', async () => {
    const nats = await testNats();
    const { service } = await start(nats.url);
    const socket = connect(service.port, '127.0.0.1');
    const trickle = setInterval(() => socket.write(' '), 100);
    socket.on('error', () => undefined);
    socket.write('POST /api/notes/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(trickle);
  });

  it('starts without NATS, accepts writes, and publishes them once NATS is available', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    await nats.stop();
    const { service, prefix, readReadiness, write } = await start(nats.url);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    await waitFor(async () => (await readReadiness()).parts.postgres === 'ok', { description: 'the schema' });
    expect(await readReadiness()).toMatchObject({
      status: 503,
      parts: { directory: 'unavailable', nats: 'unavailable' },
    });
    expect((await write()).status).toBe(204);
    await nats.start();
    await recreateStreams({ natsUrl: nats.url, prefix });
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    const messaging = await connectMessaging({
      access: { servers: nats.url },
      prefix,
      replicas: 1,
      name: 'test',
      log: quiet,
    });
    resources.push(messaging.connection);
    const event = await waitFor(
      () =>
        messaging.manager.streams.getMessage(messaging.stream('notes'), {
          last_by_subj: messaging.subject(subjectOf(exampleEvent)),
        }),
      { description: 'the event of the write' },
    );
    expect(envelope.parse(event.json()).data).toEqual({ note: 'a', n: 1 });
  });

  it('responds to probes and 503 to requests without a database, and is not ready', async () => {
    const nats = await testNats();
    const env = {
      PORT: '0',
      LOG_LEVEL: 'silent',
      NATS_URL: nats.url,
      NATS_PREFIX: nats.prefix,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    };
    const service = await startService(notesService(), readEnv(postgresEnv, env));
    resources.push(service);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    const response = await fetch(`${service.url}/api/notes`, { method: 'POST' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
    // The balancer must send new connections to a ready pod.
    expect(response.headers.get('connection')).toBe('close');
  });

  it('is ready while slow requests use all connections of its pool', async () => {
    const nats = await testNats();
    const steps: string[] = [];
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const { readReadiness, write } = await start(nats.url, { steps, hold, env: { DATABASE_POOL_SIZE: '2' } });
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    const writes = [write(), write()];
    await waitFor(() => steps.filter((step) => step === 'write').length === 2, {
      description: 'both connections to be taken',
    });
    expect(await readReadiness()).toMatchObject({ status: 200, parts: { postgres: 'ok' } });
    release();
    for (const response of await Promise.all(writes)) expect(response.status).toBe(204);
  });

  it('serves requests while it drains', async () => {
    const nats = await testNats();
    const { service, readReadiness, write } = await start(nats.url, { env: { DRAIN_SECONDS: '2' } });
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    resources.splice(0);
    const stopping = service.close();
    expect(await readReadiness()).toEqual({ status: 503, parts: { process: 'unavailable' } });
    expect((await write()).status).toBe(204);
    await stopping;
    await expect(readReadiness()).rejects.toThrow();
  });

  it('stops in order: its own parts first, then requests in flight, then their dependencies', async () => {
    const nats = await testNats();
    const steps: string[] = [];
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const { service, readReadiness, write } = await start(nats.url, { steps, hold });
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    const pendingResponse = write();
    await waitFor(() => steps.includes('write'), { description: 'the request to be in flight' });
    resources.splice(0);
    const stopping = service.close();
    await waitFor(() => steps.includes('close'), { description: 'its own parts to be stopped' });
    void release();
    expect((await pendingResponse).status).toBe(204);
    expect(await Promise.race([stopping.then(() => 'stopped'), delay(3_000, 'late', { ref: false })])).toBe('stopped');
    expect(steps.slice(steps.indexOf('close'))).toEqual(['close', 'written', 'end']);
    await expect(fetch(`${service.url}/livez`)).rejects.toThrow();
  });

  it('closes connections with their response while it drains', async () => {
    const nats = await testNats();
    const { service, readReadiness } = await start(nats.url, { env: { DRAIN_SECONDS: '1' } });
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    const agent = new Agent({ keepAlive: true });
    const write = async () => {
      const clientRequest = request(`${service.url}/api/notes`, { method: 'POST', agent }).end();
      const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
      response.resume();
      return [response.statusCode, response.headers.connection];
    };
    expect(await write()).toEqual([204, 'keep-alive']);
    resources.pop();
    const stopping = service.close();
    expect(await write()).toEqual([204, 'close']);
    await stopping;
    agent.destroy();
  });

  it('closes a connection after a thousand requests, so that newer pods receive a share', async () => {
    const nats = await testNats();
    const { service } = await start(nats.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const callLivez = async () => {
      const clientRequest = request(`${service.url}/livez`, { agent }).end();
      const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return `${response.statusCode} ${response.headers.connection} from ${clientRequest.socket?.localPort}`;
    };
    const responses: string[] = [];
    for (let n = 0; n < 1_002; n += 1) responses.push(await callLivez());
    const counts = [...Map.groupBy(responses, (response) => response).values()].map(({ length }) => length);
    expect(new Set(responses.map((response) => response.split(' ')[0]))).toEqual(new Set(['200']));
    // The last response closes it, and the next two requests share a new connection.
    expect(counts).toEqual([999, 1, 2]);
    agent.destroy();
  });

  it('starts nothing after it was stopped', async () => {
    const nats = await testNats();
    const steps: string[] = [];
    const { service } = await start(nats.url, { steps });
    resources.pop();
    await service.close();
    expect(steps).toEqual([...(steps.includes('ready') ? ['ready'] : []), 'close', 'end']);
  });

  it('stops quickly if NATS never became available', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    await nats.stop();
    const { service, readReadiness } = await start(nats.url);
    await waitFor(async () => (await readReadiness()).parts.postgres === 'ok', { description: 'the schema' });
    resources.pop();
    const late = delay(6_000, 'late', { ref: false });
    expect(await Promise.race([service.close().then(() => 'stopped'), late])).toBe('stopped');
  });

  it('stops quickly while NATS is unavailable', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    const { service, prefix, readReadiness } = await start(nats.url);
    await recreateStreams({ natsUrl: nats.url, prefix });
    await waitFor(async () => (await readReadiness()).status === 200, { description: 'it to be ready' });
    await nats.stop();
    resources.pop();
    const late = delay(9_000, 'late', { ref: false });
    expect(await Promise.race([service.close().then(() => 'stopped'), late])).toBe('stopped');
  });
});
