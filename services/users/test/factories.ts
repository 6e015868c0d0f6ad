import { accountActivated, accountRegistered, invitationCreated } from '@atrium/proto-events/events/auth';
import type { User } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/service/start-service';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { usersService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Starts the service with its own database and no users. */
export const startUsers = (extraEnv: Record<string, string> = {}) =>
  startTestService('users', (env, overrides) => startService(usersService, readConfig(env), overrides), extraEnv);

export type TestUser = { _id: string; role: 'admin' | 'project_manager' | 'member' };
type UserOverrides = { firstName?: string; lastName?: string; email?: string; role?: TestUser['role'] };

let accountCount = 0;
const buildAccount = ({ role = 'member', ...overrides }: UserOverrides) => {
  accountCount += 1;
  return {
    userId: newId(),
    email: `person${accountCount}@example.org`,
    firstName: 'Person',
    lastName: `Number ${accountCount}`,
    role,
    ...overrides,
  };
};

/** Waits until the directory of this process contains at least this version of the user. */
export const waitForDirectory = (service: TestService, id: string, version = 1) =>
  waitFor(
    () => {
      const user = service.running.directory.user(id);
      return user && user.version >= version ? user : undefined;
    },
    { description: `version ${version} of the user in the directory` },
  );

export async function createRegisteredUser(service: TestService, overrides: UserOverrides = {}): Promise<TestUser> {
  const data = buildAccount(overrides);
  await service.deliver(accountRegistered, data);
  await waitForDirectory(service, data.userId);
  return { _id: data.userId, role: data.role };
}

/** Builds the data of an invitation as the auth service publishes it. */
export const buildInvitation = (overrides: UserOverrides & { departmentId?: string | null } = {}) => ({
  ...buildAccount(overrides),
  departmentId: overrides.departmentId ?? null,
  invitationId: newId(),
  invitedBy: newId(),
  expiresAt: '2083-01-01T00:00:00.000Z',
  sealedUrl: 'sealed',
});

/** Creates an invited user who has accepted. */
export async function createMember(service: TestService, overrides: UserOverrides = {}): Promise<TestUser> {
  const data = buildInvitation(overrides);
  await service.deliver(invitationCreated, data);
  await service.deliver(accountActivated, { userId: data.userId });
  await waitForDirectory(service, data.userId, 2);
  return { _id: data.userId, role: data.role };
}

export async function getUser(service: TestService, as: TestUser, id: string): Promise<User> {
  const { status, body } = await service.call('GET', `/users/${id}`, { as });
  if (status !== 200) throw new Error(`User not found: ${JSON.stringify(body)}`);
  return body as User;
}
