import { startService } from '@atrium/service-kit/start-service';
import { testNats } from '@atrium/test-kit/backing-servers';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { aProject, type People, startProjects } from './factories.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startProjects());
});
afterAll(() => service.close());

/** The project as every service knows it, once its version is there. */
const known = (id: string, version: number) =>
  waitFor(() => service.running.projects.project(id)?.version === version && service.running.projects.project(id), {
    what: `version ${version} of the project in the directory`,
  });

describe('the directory of projects', () => {
  it('follows a project from its making to its end', async () => {
    const { _id } = await aProject(service, people);
    const made = { _id, name: 'Customer portal', managerId: people.manager._id, deleted: false };
    expect(await known(_id, 1)).toEqual({ ...made, memberIds: [people.member._id], version: 1 });
    await service.call('PATCH', `/projects/${_id}`, { as: people.admin, body: { name: 'Portal' } });
    expect(await known(_id, 2)).toMatchObject({ name: 'Portal' });
    await service.call('POST', `/projects/${_id}/team-members`, {
      as: people.admin,
      body: { userId: people.colleague._id },
    });
    expect(await known(_id, 3)).toMatchObject({ memberIds: [people.member._id, people.colleague._id] });
    await service.call('DELETE', `/projects/${_id}/team-members/${people.member._id}`, { as: people.admin });
    expect(await known(_id, 4)).toMatchObject({ memberIds: [people.colleague._id] });
    expect((await service.call('DELETE', `/projects/${_id}`, { as: people.admin })).status).toBe(204);
    expect(await known(_id, 5)).toMatchObject({ deleted: true, memberIds: [] });
  });

  it('is filled by a start that finds less in it than there is', async () => {
    const before = await startProjects();
    const projects = await Promise.all(Array.from({ length: 3 }, () => aProject(before.service, before.people)));
    await before.service.close();
    const { env, tokens } = before.service;
    const { prefix } = await testNats();
    const after = await startService(projectsService, readConfig({ ...env, NATS_PREFIX: prefix }), {
      keys: tokens.keys,
    });
    try {
      for (const { _id } of projects) {
        const found = await waitFor(() => after.projects.project(_id), { what: 'the project in an empty directory' });
        expect(found).toMatchObject({ _id, name: 'Customer portal', version: 1 });
      }
    } finally {
      await after.close();
    }
  });
});
