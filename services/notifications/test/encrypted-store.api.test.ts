import { createLogger } from '@atrium/service-kit/observability/logger';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { type Certificates, makeCertificates, startTlsProxy } from '@atrium/test-kit/tls-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStore } from '../src/store/store.ts';

let ownAuthority: Certificates;
let otherAuthority: Certificates;
let address: URL;
let proxy: { port: number; close(): void };

beforeAll(async () => {
  [ownAuthority, otherAuthority] = await Promise.all([makeCertificates(), makeCertificates()]);
  address = new URL(await testMongo('encrypted'));
  proxy = await startTlsProxy(address, ownAuthority);
});
afterAll(async () => {
  proxy.close();
  await Promise.all([ownAuthority.remove(), otherAuthority.remove()]);
});

function openStore(settings: Record<string, string>) {
  const url = new URL(address);
  url.port = String(proxy.port);
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  const logLines: string[] = [];
  const store = createStore(
    url.href,
    createLogger('notifications', 'warn', { write: (line) => void logLines.push(line) }),
  );
  return { store, logLines };
}

describe('a MongoDB with TLS', () => {
  it('is reachable with its certificate authority in the URL', async () => {
    const { store } = openStore({ tls: 'true', tlsCAFile: ownAuthority.ca });
    await store.connected;
    await store.check();
    await store.close();
  });

  it('is rejected with a different or no certificate authority, and the reason is logged', async () => {
    for (const settings of [{ tls: 'true', tlsCAFile: otherAuthority.ca }, { tls: 'true' }]) {
      const { store, logLines } = openStore(settings);
      await waitFor(() => logLines.some((line) => /certificate/i.test(line)), {
        description: 'a log line about the certificate',
      });
      await expect(store.check()).rejects.toThrow('not available');
      await store.close();
    }
  });
});
