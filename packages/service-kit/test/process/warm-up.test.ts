import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoint } from '@atrium/proto-events/endpoint';
import { postgresEnv, readEnv } from '@atrium/service-kit/config/env';
import { handle } from '@atrium/service-kit/http/handle';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import { startService } from '@atrium/service-kit/service/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { freePort } from '@atrium/test-kit/free-port';
import { buildUser } from '@atrium/test-kit/people';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { NOTES_MIGRATIONS } from '../notes.ts';

const readNotes = endpoint({ method: 'GET', path: '/notes', summary: 'Read', access: 'user', status: 204 });

const open = closeAfterEach();

/** A key server whose responses the test controls. */
async function startAuth() {
  const tokens = await createTestTokens();
  const waiting: ServerResponse[] = [];
  let asked = 0;
  let answers = false;
  const answer = (response: ServerResponse) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens.jwks));
  const server = createServer((_request, response) => {
    asked += 1;
    if (answers) answer(response);
    else waiting.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    tokens,
    asked: () => asked,
    begin() {
      answers = true;
      waiting.splice(0).forEach(answer);
    },
  };
}

async function start(keysUrl: string, warmUpMs?: number) {
  const nats = await testNats();
  let pool: Db['pool'] | undefined;
  const notesService: PostgresService<z.infer<typeof postgresEnv>> = {
    name: 'notes',
    migrations: NOTES_MIGRATIONS,
    create({ db }) {
      pool = db.pool;
      return { routes: [handle(readNotes, async () => undefined)] };
    },
  };
  const env = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    DATABASE_URL: await testDatabase('notes'),
    AUTH_JWKS_URL: keysUrl,
  };
  const service = await startService(notesService, readEnv(postgresEnv, env), { ...(warmUpMs && { warmUpMs }) });
  open.push(service);
  return {
    service,
    connections: () => pool?.totalCount,
    isReady: async () => (await fetch(`${service.url}/readyz`)).ok,
    read: async (token: string) =>
      (await fetch(`${service.url}/api/notes`, { headers: { authorization: `Bearer ${token}` } })).status,
  };
}

describe('the warm-up of a service', () => {
  it('delays readiness until it has the keys of auth and a connection, so that the first requests need not wait', async () => {
    const auth = await startAuth();
    const { service, connections, isReady, read } = await start(auth.url);
    await waitFor(() => auth.asked() === 1, { what: 'the keys to be fetched' });
    await waitFor(() => connections() === 1, { what: 'a connection' });
    expect(await isReady()).toBe(false);
    auth.begin();
    await waitFor(isReady, { what: 'it to be ready' });
    const person = buildUser();
    service.directory.putUser(person);
    const tokens = await Promise.all([auth.tokens.sign(person), auth.tokens.sign(person)]);
    expect(await Promise.all(tokens.map(read))).toEqual([204, 204]);
    expect([auth.asked(), connections()]).toEqual([1, 1]);
  });

  it('ends without the keys if auth is unavailable for too long, and the first token fetches them', async () => {
    const auth = await startAuth();
    const away = await start(`http://127.0.0.1:${await freePort()}/jwks.json`, 300);
    const silent = await start(auth.url, 300);
    await waitFor(away.isReady, { what: 'readiness without auth' });
    await waitFor(silent.isReady, { what: 'readiness with an unresponsive auth' });
    auth.begin();
    const person = buildUser();
    silent.service.directory.putUser(person);
    expect(await silent.read(await auth.tokens.sign(person))).toBe(204);
  });

  it('is aborted quickly when the service stops', async () => {
    const auth = await startAuth();
    const { service } = await start(auth.url);
    await waitFor(() => auth.asked() === 1, { what: 'the keys to be fetched' });
    open.pop();
    const late = delay(2_000, 'late', { ref: false });
    expect(await Promise.race([service.close().then(() => 'stopped'), late])).toBe('stopped');
  });
});
