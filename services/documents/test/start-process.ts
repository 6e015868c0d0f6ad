import type { DirectoryUser } from '@atrium/proto-events/people';
import { testBucket, testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { startServiceProcess } from '@atrium/test-kit/start-service-process';
import { createTestTokens } from '@atrium/test-kit/tokens';

/** Creates a database and a bucket for service processes of these users. */
export async function openTestEnvironment(people: DirectoryUser[], extraEnv: Record<string, string> = {}) {
  const tokens = await createTestTokens();
  const [database, nats, bucket] = await Promise.all([testDatabase('documents'), testNats(), testBucket()]);
  const env = {
    LOG_LEVEL: 'silent',
    DATABASE_URL: database,
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    S3_ENDPOINT: bucket.endpoint,
    S3_PUBLIC_URL: bucket.endpoint,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
    S3_BUCKET: bucket.bucket,
    ...extraEnv,
  };
  const main = new URL('../src/main.ts', import.meta.url);
  const start = (podEnv: Record<string, string> = {}) =>
    startServiceProcess({ main, tokens, users: people, env: { ...env, ...podEnv } });
  return { env, tokens, start };
}

/** Starts the service as a separate process, whose memory can be measured. */
export async function startProcess(people: DirectoryUser[], extraEnv: Record<string, string> = {}) {
  const started = await (await openTestEnvironment(people, extraEnv)).start();
  return {
    ...started,
    residentBytes: async () => {
      const metrics = await (await fetch(`${started.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(metrics)?.[1]);
    },
  };
}
