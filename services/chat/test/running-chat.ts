import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type People, startChat } from './factories.ts';
import { closeSockets } from './sockets.ts';

/** Started before the tests of the importing suite. */
export let service: TestService;
export let people: People;

export const call = (as: keyof People, method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: people[as], body });

beforeAll(async () => {
  ({ service, people } = await startChat());
});
afterEach(closeSockets);
afterAll(() => service.close());
