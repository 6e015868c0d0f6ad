import { startService } from '@atrium/service-kit/service/start-service';
import { startServiceProcess } from '@atrium/test-kit/start-service-process';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { chatService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { People } from './factories.ts';

/** Starts a pod in this process, with the database, NATS, and Redis of the first pod. */
export async function startSecondPod(service: TestService, people: People, extraEnv: Record<string, string> = {}) {
  const running = await startService(chatService, readConfig({ ...service.env, ...extraEnv }), service.overrides);
  await waitFor(async () => (await fetch(`${running.url}/readyz`)).ok, { description: 'the second pod to be ready' });
  for (const user of Object.values(people)) running.directory.putUser(user);
  return { url: running.url, tokens: service.tokens, running, close: running.close };
}

/** Starts a pod as a separate process, which can be killed. */
export const startPodProcess = ({ env, tokens }: TestService, people: People, extraEnv: Record<string, string> = {}) =>
  startServiceProcess({
    main: new URL('../src/main.ts', import.meta.url),
    env: { ...env, ...extraEnv },
    tokens,
    users: Object.values(people),
  });
