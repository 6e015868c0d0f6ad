import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type People, startChat } from './factories.ts';
import { closeSockets } from './sockets.ts';

/** The service that runs for the suite which imports this, and who is known to it; there from the first hook or test on. */
export let service: TestService;
export let people: People;

beforeAll(async () => {
  ({ service, people } = await startChat());
});
afterEach(closeSockets);
afterAll(() => service.close());
