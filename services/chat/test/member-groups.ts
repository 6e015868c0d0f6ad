import type { Participant } from '@atrium/proto-events/http/chat/channels';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { request } from './factories.ts';

type TestUser = Pick<DirectoryUser, '_id' | 'role'>;

/** Creates a department with members, who are active unless the fields say otherwise. */
export function createDepartment(service: TestService, name: string, members: Partial<DirectoryUser>[] = []) {
  const _id = newId();
  service.running.directory.putDepartment({ _id, name, isActive: true, version: 1 });
  const users = members.map((fields) => buildUser({ departmentId: _id, ...fields }));
  service.addToDirectory(...users);
  return { _id, name, users };
}

/** Puts a new version of a user into the directory, which the users service would publish. */
export function changeUser(service: TestService, user: DirectoryUser, fields: Partial<DirectoryUser>): DirectoryUser {
  const changed = { ...user, ...fields, version: user.version + 1 };
  service.addToDirectory(changed);
  return changed;
}

/** Waits until exactly these users are in the conversation, as the first of them sees it. */
export async function expectParticipants(
  service: TestService,
  conversation: string,
  users: readonly [TestUser, ...TestUser[]],
): Promise<void> {
  const expected = users.map(({ _id }) => _id).sort();
  let ids: string[] = [];
  await waitFor(
    async () => {
      const path = `/chat/conversations/${conversation}/participants?limit=100`;
      const { data } = await request<{ data: Participant[] }>(service, users[0], ['GET', path]);
      ids = data.map(({ user }) => user._id).sort();
      return ids.join() === expected.join();
    },
    { description: `${expected.length} participants` },
  ).catch((error: unknown) => {
    throw new Error(`Expected ${expected.join()}, got ${ids.join()}`, { cause: error });
  });
}
