import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { openDirectoryBucket, userKey } from '@atrium/service-kit/directory-feed';
import { createLogger } from '@atrium/service-kit/logger';
import { connectMessaging } from '@atrium/service-kit/messaging';
import { testBucket, testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';

/** The service as a process of its own, as a deployment runs it, knowing these people. */
export async function startProcess(people: DirectoryUser[]) {
  const tokens = await createTestTokens();
  const [database, nats, bucket] = await Promise.all([testDatabase('documents'), testNats(), testBucket()]);
  const messaging = await connectMessaging({ ...nats, replicas: 1, name: 'test', log: createLogger('test', 'silent') });
  const directory = await openDirectoryBucket(messaging);
  for (const person of people) await directory.put(userKey(person._id), JSON.stringify(person));
  await messaging.connection.close();

  const keys = createServer((_req, res) => res.end(JSON.stringify(tokens.jwks)));
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  const port = String(await freePort());
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PORT: port,
      LOG_LEVEL: 'silent',
      DATABASE_URL: database,
      NATS_URL: nats.url,
      NATS_PREFIX: nats.prefix,
      AUTH_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
      S3_ENDPOINT: bucket.endpoint,
      S3_PUBLIC_URL: bucket.endpoint,
      S3_ACCESS_KEY: bucket.accessKey,
      S3_SECRET_KEY: bucket.secretKey,
      S3_BUCKET: bucket.bucket,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${url}/readyz`)).ok, { what: 'the process to be ready' });
  return {
    url,
    tokens,
    residentBytes: async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(metrics)?.[1]);
    },
    async close() {
      keys.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
