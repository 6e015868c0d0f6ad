import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { startService } from '@atrium/service-kit/service/start-service';
import { objectStoreEnv, testBucket, testRedis } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { retryWhileBusy } from '@atrium/test-kit/retry-while-busy';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { chatService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Starts the service with its own database and a directory of sample users. */
export async function startChat(extraEnv: Record<string, string> = {}) {
  const [redis, bucket] = await Promise.all([testRedis(), testBucket()]);
  const service = await startTestService(
    'chat',
    (env, overrides) => startService(chatService, readConfig(env), overrides),
    { REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix, ...objectStoreEnv(bucket), ...extraEnv },
  );
  const people = {
    admin: buildUser({ role: 'admin', firstName: 'Ada' }),
    manager: buildUser({ role: 'project_manager', firstName: 'Paul' }),
    member: buildUser({ firstName: 'Mia' }),
    ben: buildUser({ firstName: 'Ben' }),
    cleo: buildUser({ firstName: 'Cleo' }),
    stranger: buildUser({ firstName: 'Stan' }),
    inactive: buildUser({ status: 'inactive', sessionsValidAfter: 1 }),
  };
  service.addToDirectory(...Object.values(people));
  return { service, people, bucket };
}

export type People = Awaited<ReturnType<typeof startChat>>['people'];
type TestUser = Pick<DirectoryUser, '_id' | 'role'>;

/** Returns the response body; throws on any other status than 2xx. */
export async function request<T>(
  service: TestService,
  as: TestUser,
  [method, path, body]: [method: string, path: string, body?: unknown],
): Promise<T> {
  const response = await retryWhileBusy(() => service.call(method, path, { as, body }));
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body as T;
}

/** Creates a group whose first user is its creator. */
export function createGroup(service: TestService, [creator, ...others]: [TestUser, ...TestUser[]], title = 'general') {
  const body = { type: 'group', title, participants: others.map(({ _id }) => _id) };
  return request<Conversation>(service, creator, ['POST', '/chat/conversations', body]);
}

export function createDirect(service: TestService, creator: TestUser, participant: TestUser) {
  return request<Conversation>(service, creator, [
    'POST',
    '/chat/conversations',
    { type: 'direct', participants: [participant._id] },
  ]);
}

export function send(service: TestService, as: TestUser, conversation: string, content = 'Hello') {
  return request<Message>(service, as, ['POST', '/chat/messages', { conversation, content }]);
}
