import { startService } from '@atrium/service-kit/service/start-service';
import { buildUser } from '@atrium/test-kit/people';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { projectsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Starts the service with its own database, knowing a user of each role and a stranger. */
export async function startProjects() {
  const service = await startTestService('projects', (env, overrides) =>
    startService(projectsService, readConfig(env), overrides),
  );
  const people = {
    admin: buildUser({ role: 'admin', firstName: 'Ada' }),
    manager: buildUser({ role: 'project_manager', firstName: 'Paul' }),
    otherManager: buildUser({ role: 'project_manager', firstName: 'Olga' }),
    member: buildUser({ firstName: 'Mia' }),
    colleague: buildUser({ firstName: 'Cora' }),
    stranger: buildUser({ firstName: 'Stan' }),
    inactive: buildUser({ status: 'inactive' }),
  };
  service.addToDirectory(...Object.values(people));
  return { service, people };
}

export type People = Awaited<ReturnType<typeof startProjects>>['people'];

/** A valid body. */
export function projectBody(people: People, given: Record<string, unknown> = {}) {
  return {
    name: 'Customer portal',
    description: 'New sign-up and billing',
    projectManager: people.manager._id,
    teamMembers: [people.member._id],
    priority: 'high',
    status: 'not-started',
    ...given,
  };
}

export type Created = { _id: string; version: number; progress: number; updatedAt: string };

export async function buildProject(service: TestService, people: People, given: Record<string, unknown> = {}) {
  const { status, body } = await service.call('POST', '/projects', {
    as: people.admin,
    body: projectBody(people, given),
  });
  if (status !== 201) throw new Error(`Failed to create project: ${JSON.stringify(body)}`);
  return body as Created;
}

export async function buildTask(
  service: TestService,
  people: People,
  given: Record<string, unknown> & { project: string },
): Promise<Created> {
  const { status, body } = await service.call('POST', '/tasks', {
    as: people.admin,
    body: { title: 'Validate VAT numbers', ...given },
  });
  if (status !== 201) throw new Error(`Failed to create task: ${JSON.stringify(body)}`);
  return body as Created;
}

/** `days` from today, in UTC. */
export const dayFromNow = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10);
