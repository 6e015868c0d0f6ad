import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { createRevocations } from '@atrium/service-kit/directory/revocations';
import { createTokenVerifier, remoteKeys } from '@atrium/service-kit/http/authenticate';
import { buildUser } from '@atrium/test-kit/build-user';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { fakeClockInEachTest } from '@atrium/test-kit/fake-clock';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { describe, expect, it, jest } from '@jest/globals';

const MINUTE_MS = 60_000;
const KEY_FETCH = { timeoutMs: 3_000, retryAfterMs: 1_000 };

const resources = closeAfterEach();
fakeClockInEachTest();

const advance = (ms: number) => jest.setSystemTime(Date.now() + ms);

/** A token verifier, and the key server that it uses. */
async function startVerifier() {
  const tokens = await createTestTokens();
  let fetchCount = 0;
  const server = createServer((_request, response) => {
    fetchCount += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens.jwks));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  resources.push({ close: () => (server.listening ? stop() : undefined) });
  const directory = createDirectory();
  const user = buildUser();
  directory.putUser(user);
  const keys = remoteKeys(`http://127.0.0.1:${port}/jwks.json`, KEY_FETCH);
  const verifier = createTokenVerifier({ keys, directory, revocations: createRevocations() });
  return {
    fetchCount: () => fetchCount,
    stop,
    restart: async () => void (await once(server.listen(port, '127.0.0.1'), 'listening')),
    /** Returns whether a token that was not verified before is accepted. */
    verifyNewToken: async () => (await verifier.verify(await tokens.sign(user))).userId === user._id,
  };
}

describe('remoteKeys', () => {
  it('fetches the keys once per hour', async () => {
    const { fetchCount, verifyNewToken } = await startVerifier();
    expect([await verifyNewToken(), await verifyNewToken()]).toEqual([true, true]);
    advance(59 * MINUTE_MS);
    expect([await verifyNewToken(), fetchCount()]).toEqual([true, 1]);
    advance(2 * MINUTE_MS);
    expect([await verifyNewToken(), fetchCount()]).toEqual([true, 2]);
  });

  it('continues with cached keys while auth is unavailable, for the lifetime of a token', async () => {
    const { stop, verifyNewToken } = await startVerifier();
    expect(await verifyNewToken()).toBe(true);
    await stop();
    advance(61 * MINUTE_MS);
    expect(await verifyNewToken()).toBe(true);
    advance(13 * MINUTE_MS);
    expect(await verifyNewToken()).toBe(true);
    advance(2 * MINUTE_MS);
    await expect(verifyNewToken()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refetches soon after auth did not respond', async () => {
    const { fetchCount, stop, restart, verifyNewToken } = await startVerifier();
    expect(await verifyNewToken()).toBe(true);
    await stop();
    advance(61 * MINUTE_MS);
    expect(await verifyNewToken()).toBe(true);
    await restart();
    expect([await verifyNewToken(), fetchCount()]).toEqual([true, 1]);
    advance(KEY_FETCH.retryAfterMs);
    expect([await verifyNewToken(), fetchCount()]).toEqual([true, 2]);
    advance(30 * MINUTE_MS);
    expect([await verifyNewToken(), fetchCount()]).toEqual([true, 2]);
  });
});
