import { projectUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type People, startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { closeSockets, connectLive } from './sockets.ts';

/** Results in an interval of six seconds for three browsers on each of two pods. */
const RATE_LIMIT = { MAX_LIST_REFETCHES_PER_SECOND: '1' };

let service: TestService;
let people: People;
const pods: Awaited<ReturnType<typeof startSecondPod>>[] = [];

beforeAll(async () => {
  ({ service, people } = await startChat(RATE_LIMIT));
  // The files pod is not counted.
  for (const CHAT_ROLE of ['sockets', 'files'])
    pods.push(await startSecondPod(service, people, { ...RATE_LIMIT, CHAT_ROLE }));
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

it('the refetch interval grows with the subscribers of workspace-wide lists on all pods', async () => {
  const sockets = await Promise.all([people.ben, people.cleo, people.member].map((user) => connectLive(service, user)));
  for (const { subscribe } of sockets) await subscribe(['projects']);
  const [firstSocket] = sockets;
  await waitFor(
    async () => {
      await changeProject();
      return firstSocket?.refetchIntervals.at(-1) === 6_000;
    },
    { description: 'the interval for three browsers on each of two pods' },
  );
  // The response to a subscription contains it as well.
  expect(await firstSocket?.subscribe(['projects'])).toMatchObject({ minRefetchIntervalMs: 6_000 });
});
