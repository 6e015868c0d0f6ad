import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { buildUser } from '@atrium/test-kit/build-user';
import type { Figure } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';

const USERS = 100_000;
const WINDOW = 1_000;

/** Measures what 100,000 users cost a starting process: memory, and time until the directory is complete. */
export async function benchDirectory(environment: LoadEnvironment): Promise<Figure[]> {
  const prefix = 'benchdirectory';
  const messaging = await connectMessaging({
    access: { servers: environment.natsUrl },
    prefix,
    replicas: 1,
    name: 'bench',
    log: createLogger('bench', 'warn'),
  });
  await provisionStreams(messaging.manager, { prefix, replicas: 1 });
  environment.print(`  adding ${USERS} users to the bucket …`);
  for (let done = 0; done < USERS; done += WINDOW) {
    await Promise.all(
      Array.from({ length: WINDOW }, () => {
        const user = buildUser({ departmentId: '5'.repeat(24), timezone: 'Europe/Berlin' });
        return messaging.js.publish(`$KV.${messaging.directoryBucket}.user.${user._id}`, JSON.stringify(user));
      }),
    );
  }
  await messaging.connection.close();
  const { ms, addedMb } = await measureInChild(environment.natsUrl, prefix);
  return [
    {
      name: '100,000 users in the directory, memory added',
      value: addedMb,
      unit: ' MB',
      limit: 120,
      sense: 'at most',
      detail: 'resident, after a garbage collection',
    },
    {
      name: '100,000 users in the directory, caught up in',
      value: ms / 1000,
      unit: ' s',
      limit: 5,
      sense: 'at most',
      detail: '',
    },
  ];
}

function measureInChild(natsUrl: string, prefix: string): Promise<{ ms: number; addedMb: number }> {
  const child = fork(fileURLToPath(new URL('../directory-reader.ts', import.meta.url)), [natsUrl, prefix], {
    execArgv: ['--expose-gc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { ms: number; addedMb: number }));
    child.once('exit', (code) => reject(new Error(`the reader exited with ${code}`)));
  });
}
