import { startService } from '@atrium/service-kit/service/start-service';
import { buildUser } from '@atrium/test-kit/build-user';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { projectsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Starts the service with its own database, and with users of each role in the directory. */
export async function startProjects() {
  const service = await startTestService('projects', (env, overrides) =>
    startService(projectsService, readConfig(env), overrides),
  );
  const users = {
    admin: buildUser({ role: 'admin', firstName: 'Ada' }),
    manager: buildUser({ role: 'project_manager', firstName: 'Paul' }),
    otherManager: buildUser({ role: 'project_manager', firstName: 'Olga' }),
    member: buildUser({ firstName: 'Mia' }),
    colleague: buildUser({ firstName: 'Cora' }),
    stranger: buildUser({ firstName: 'Stan' }),
    inactive: buildUser({ status: 'inactive' }),
  };
  service.addToDirectory(...Object.values(users));
  return { service, users };
}

export type TestUsers = Awaited<ReturnType<typeof startProjects>>['users'];

/** Builds a valid request body. */
export function buildProjectBody(users: TestUsers, overrides: Record<string, unknown> = {}) {
  return {
    name: 'Customer portal',
    description: 'New sign-up and billing',
    projectManager: users.manager._id,
    teamMembers: [users.member._id],
    priority: 'high',
    status: 'not-started',
    ...overrides,
  };
}

type CreatedResource = { _id: string; version: number; progress: number; updatedAt: string };

export async function createProject(service: TestService, users: TestUsers, overrides: Record<string, unknown> = {}) {
  const { status, body } = await service.call('POST', '/projects', {
    as: users.admin,
    body: buildProjectBody(users, overrides),
  });
  if (status !== 201) throw new Error(`Failed to create project: ${JSON.stringify(body)}`);
  return body as CreatedResource;
}

export async function createTask(
  service: TestService,
  users: TestUsers,
  overrides: Record<string, unknown> & { project: string },
): Promise<CreatedResource> {
  const { status, body } = await service.call('POST', '/tasks', {
    as: users.admin,
    body: { title: 'Validate VAT numbers', ...overrides },
  });
  if (status !== 201) throw new Error(`Failed to create task: ${JSON.stringify(body)}`);
  return body as CreatedResource;
}

/** Returns the date `days` after today, in UTC. */
export const addDaysToToday = (days: number) =>
  new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10);
