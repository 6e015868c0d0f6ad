import { testRedis } from '@atrium/test-kit/backing-servers';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { type Certificates, makeCertificates, startTlsProxy } from '@atrium/test-kit/tls-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type People, startChat } from './factories.ts';
import { startPodProcess } from './pods.ts';

let service: TestService;
let people: People;
let trustedCertificates: Certificates;
let untrustedCertificates: Certificates;
let proxy: { port: number; close(): void };
let address: string;

beforeAll(async () => {
  ({ service, people } = await startChat());
  [trustedCertificates, untrustedCertificates] = await Promise.all([makeCertificates(), makeCertificates()]);
  const url = new URL((await testRedis()).url);
  proxy = await startTlsProxy(url, trustedCertificates);
  address = url.href.replace('redis:', 'rediss:').replace(`:${url.port}`, `:${proxy.port}`);
});
afterAll(async () => {
  proxy.close();
  await service.close();
  await Promise.all([trustedCertificates.remove(), untrustedCertificates.remove()]);
});

/** Starts a pod that also trusts this certificate authority. */
const startTrustingPod = ({ ca }: Certificates) =>
  startPodProcess(service, people, { REDIS_URL: address, NODE_EXTRA_CA_CERTS: ca, LOG_LEVEL: 'warn' });

async function readRedisStatus({ url }: { url: string }): Promise<unknown> {
  const report = (await (await fetch(`${url}/readyz`)).json()) as { parts: Record<string, string> };
  return report.parts.redis;
}

describe('a Redis behind TLS', () => {
  it('accepts a pod that trusts its certificate authority', async () => {
    const pod = await startTrustingPod(trustedCertificates);
    await waitFor(async () => (await readRedisStatus(pod)) === 'ok', { description: 'Redis to be reached' });
    expect(await pod.end('SIGTERM')).toBe(0);
  });

  it('is not used by a pod that does not trust its certificate authority, and the reason is logged', async () => {
    const pod = await startTrustingPod(untrustedCertificates);
    await waitFor(() => /Redis.*certificate|certificate.*Redis/i.test(pod.output()), { description: 'the log line' });
    expect(await readRedisStatus(pod)).toBe('unavailable');
    expect(await pod.end('SIGTERM')).toBe(0);
  });
});
