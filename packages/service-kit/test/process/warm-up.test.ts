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
import { buildUser } from '@atrium/test-kit/build-user';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { freePort } from '@atrium/test-kit/free-port';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { NOTES_MIGRATIONS } from '../notes.ts';

const readNotes = endpoint({ method: 'GET', path: '/notes', summary: 'Read', access: 'user', status: 204 });

const resources = closeAfterEach();

/** A key server whose responses the test controls. */
async function startAuth() {
  const tokens = await createTestTokens();
  const pendingResponses: ServerResponse[] = [];
  let fetchCount = 0;
  let isResponding = false;
  const respond = (response: ServerResponse) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens.jwks));
  const server = createServer((_request, response) => {
    fetchCount += 1;
    if (isResponding) respond(response);
    else pendingResponses.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    tokens,
    fetchCount: () => fetchCount,
    startResponding() {
      isResponding = true;
      pendingResponses.splice(0).forEach(respond);
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
  resources.push(service);
  return {
    service,
    connections: () => pool?.totalCount,
    isReady: async () => (await fetch(`${service.url}/readyz`)).ok,
    read: async (token: string) =>
      (await fetch(`${service.url}/api/notes`, { headers: { authorization: `Bearer ${token}` } })).status,
  };
}

describe('the warm-up of a service', () => {
  it('delays readiness until it has the keys of the auth service and a connection, so that the first requests need not wait', async () => {
    const auth = await startAuth();
    const { service, connections, isReady, read } = await start(auth.url);
    await waitFor(() => auth.fetchCount() === 1, { description: 'the keys to be fetched' });
    await waitFor(() => connections() === 1, { description: 'a connection' });
    expect(await isReady()).toBe(false);
    auth.startResponding();
    await waitFor(isReady, { description: 'it to be ready' });
    const user = buildUser();
    service.directory.putUser(user);
    const tokens = await Promise.all([auth.tokens.sign(user), auth.tokens.sign(user)]);
    expect(await Promise.all(tokens.map(read))).toEqual([204, 204]);
    expect([auth.fetchCount(), connections()]).toEqual([1, 1]);
  });

  it('ends without the keys if auth is unavailable for too long, and the first token fetches them', async () => {
    const auth = await startAuth();
    const withoutAuth = await start(`http://127.0.0.1:${await freePort()}/jwks.json`, 300);
    const withSilentAuth = await start(auth.url, 300);
    await waitFor(withoutAuth.isReady, { description: 'readiness without auth' });
    await waitFor(withSilentAuth.isReady, { description: 'readiness with an unresponsive auth' });
    auth.startResponding();
    const user = buildUser();
    withSilentAuth.service.directory.putUser(user);
    expect(await withSilentAuth.read(await auth.tokens.sign(user))).toBe(204);
  });

  it('is aborted quickly when the service stops', async () => {
    const auth = await startAuth();
    const { service } = await start(auth.url);
    await waitFor(() => auth.fetchCount() === 1, { description: 'the keys to be fetched' });
    resources.pop();
    const late = delay(2_000, 'late', { ref: false });
    expect(await Promise.race([service.close().then(() => 'stopped'), late])).toBe('stopped');
  });
});
