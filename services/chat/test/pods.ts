import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { openDirectoryBucket, userKey } from '@atrium/service-kit/directory-feed';
import { createLogger } from '@atrium/service-kit/logger';
import { connectMessaging } from '@atrium/service-kit/messaging';
import { startService } from '@atrium/service-kit/start-service';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { chatService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { People } from './factories.ts';

const ready = (url: string) =>
  waitFor(async () => (await fetch(`${url}/readyz`)).ok, { what: 'the second pod to be ready' });

/** Another pod of a service under test, on the same database, NATS and Redis, in this process. */
export async function startSecondPod(service: TestService, people: People, extra: Record<string, string> = {}) {
  const running = await startService(chatService, readConfig({ ...service.env, ...extra }), {
    keys: service.tokens.keys,
  });
  await ready(running.url);
  for (const person of Object.values(people)) running.directory.putUser(person);
  return { url: running.url, tokens: service.tokens, running, close: running.close };
}

/** Another pod as a process of its own, which can be killed. */
export async function startPodProcess(service: TestService, people: People, extra: Record<string, string> = {}) {
  await fillDirectory(service, Object.values(people));
  const keys = createServer((_req, res) => res.end(JSON.stringify(service.tokens.jwks)));
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  const port = await freePort();
  const child = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...service.env,
      ...extra,
      PORT: String(port),
      AUTH_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
    },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url);
  return {
    url,
    tokens: service.tokens,
    /** Its log so far. */
    output: () => output,
    /** Ends it and answers its exit code, null after a kill. */
    async end(signal: 'SIGTERM' | 'SIGKILL') {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      keys.close();
      return child.exitCode;
    },
  };
}

async function fillDirectory(service: TestService, people: DirectoryUser[]): Promise<void> {
  const messaging = await connectMessaging({
    url: service.env.NATS_URL ?? '',
    prefix: service.env.NATS_PREFIX ?? '',
    replicas: 1,
    name: 'test',
    log: createLogger('test', 'silent'),
  });
  const bucket = await openDirectoryBucket(messaging);
  for (const person of people) await bucket.put(userKey(person._id), JSON.stringify(person));
  await messaging.connection.close();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
