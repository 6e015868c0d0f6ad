import { projectUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type People, startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { aWatcher, closeSockets } from './sockets.ts';

/** So slow a deployment asks three browsers on two pods for six seconds. */
const PACE = { MAX_LIST_REFETCHES_PER_SECOND: '1' };

let service: TestService;
let people: People;
const pods: Awaited<ReturnType<typeof startSecondPod>>[] = [];

beforeAll(async () => {
  ({ service, people } = await startChat(PACE));
  // Of which the one for files has no browsers.
  for (const CHAT_ROLE of ['sockets', 'files'])
    pods.push(await startSecondPod(service, people, { ...PACE, CHAT_ROLE }));
});
afterEach(closeSockets);
afterAll(async () => {
  for (const pod of pods) await pod.close();
  await service.close();
});

const changeProject = () =>
  service.deliver(projectUpdated, {
    projectId: newId(),
    name: 'Name',
    status: 'in-progress',
    managerId: newId(),
    memberIds: [],
    version: 2,
    progress: 5,
    changed: ['progress'],
  });

it('tells who shows a list of everything how long to leave between two questions, by all who do on all pods', async () => {
  const some = await Promise.all([people.ben, people.cleo, people.member].map((person) => aWatcher(service, person)));
  for (const { watch } of some) await watch(['projects']);
  const [first] = some;
  await waitFor(
    async () => {
      await changeProject();
      return first?.paces.at(-1) === 6_000;
    },
    { what: 'the pace of three browsers on each of two pods' },
  );
  // Who comes back asks for what it missed at the same pace.
  expect(await first?.watch(['projects'])).toMatchObject({ minRefetchIntervalMs: 6_000 });
});
