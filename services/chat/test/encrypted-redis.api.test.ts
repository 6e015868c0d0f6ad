import { testRedis } from '@atrium/test-kit/backing-servers';
import { type Certificates, makeCertificates } from '@atrium/test-kit/certificates';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { openTlsFront } from '@atrium/test-kit/tls-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type People, startChat } from './factories.ts';
import { startPodProcess } from './pods.ts';

let service: TestService;
let people: People;
let ours: Certificates;
let strangers: Certificates;
let front: { port: number; close(): void };
let address: string;

beforeAll(async () => {
  ({ service, people } = await startChat());
  [ours, strangers] = await Promise.all([makeCertificates(), makeCertificates()]);
  const url = new URL((await testRedis()).url);
  front = await openTlsFront(url, ours);
  address = url.href.replace('redis:', 'rediss:').replace(`:${url.port}`, `:${front.port}`);
});
afterAll(async () => {
  front.close();
  await service.close();
  await Promise.all([ours.remove(), strangers.remove()]);
});

/** A pod that trusts this authority beside the known ones, as an operator says it. */
const startTrusting = ({ ca }: Certificates) =>
  startPodProcess(service, people, { REDIS_URL: address, NODE_EXTRA_CA_CERTS: ca, LOG_LEVEL: 'warn' });

async function redisOf({ url }: { url: string }): Promise<unknown> {
  const report = (await (await fetch(`${url}/readyz`)).json()) as { parts: Record<string, string> };
  return report.parts.redis;
}

describe('a Redis behind TLS', () => {
  it('is reached by who trusts its authority', async () => {
    const pod = await startTrusting(ours);
    await waitFor(async () => (await redisOf(pod)) === 'ok', { what: 'Redis to be reached' });
    expect(await pod.end('SIGTERM')).toBe(0);
  });

  it('is not spoken to by who trusts another, and the log says why', async () => {
    const pod = await startTrusting(strangers);
    await waitFor(() => /Redis.*certificate|certificate.*Redis/i.test(pod.output()), { what: 'a line about it' });
    expect(await redisOf(pod)).toBe('unavailable');
    expect(await pod.end('SIGTERM')).toBe(0);
  });
});
