import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { openBucket } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observe/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/process/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { projectsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { insertProject, type NewProject } from '../src/projects/project-repository.ts';
import { reconcileDirectory } from '../src/reconcile-directory.ts';
import { aProject, type People, startProjects } from './factories.ts';

let service: TestService;
let people: People;
let db: pg.Client;
let messaging: Messaging;

beforeAll(async () => {
  ({ service, people } = await startProjects());
  const { DATABASE_URL, NATS_URL: url = '', NATS_PREFIX: prefix = '' } = service.env;
  db = new pg.Client({ connectionString: DATABASE_URL });
  await db.connect();
  messaging = await connectMessaging({ url, prefix, replicas: 1, name: 'test', log: createLogger('test', 'silent') });
});
afterAll(async () => {
  await messaging.connection.close();
  await db.end();
  await service.close();
});

const aRow = (id: string): NewProject => ({
  id,
  name: 'Portal',
  description: '',
  priority: 'low',
  status: 'not-started',
  manager_id: newId(),
  created_by: newId(),
  budget: null,
  start_date: null,
  due_date: null,
  member_ids: [],
});

/** Puts a word into the directory that the table knows nothing of. */
async function tell(project: DirectoryProject): Promise<void> {
  const bucket = await openBucket(messaging, messaging.projectsBucket, 'projects');
  await bucket.put(`project.${project._id}`, JSON.stringify(project));
}

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
      await waitFor(() => after.projects.isComplete(), { what: 'the word that these are all' });
    } finally {
      await after.close();
    }
  });

  it('says that it is complete where there is no project at all', async () => {
    const { service: empty } = await startProjects();
    try {
      await waitFor(() => empty.running.projects.isComplete(), { what: 'the word that these are all' });
    } finally {
      await empty.close();
    }
  });

  it('learns what a pod of before did beside it, and what a restored database has otherwise', async () => {
    const [deleted, changed, older, returned] = await Promise.all(
      Array.from({ length: 4 }, () => aProject(service, people)),
    );
    const ids = [deleted, changed, older, returned].map((project) => project?._id ?? '');
    for (const id of ids) await known(id, 1);
    const [deletedId = '', changedId = '', olderId = '', returnedId = ''] = ids;
    const [ofTheFuture, gone] = [
      service.running.projects.project(olderId),
      service.running.projects.project(returnedId),
    ];
    if (!ofTheFuture || !gone) throw new Error('the projects are not in the directory');
    await tell({ ...ofTheFuture, name: 'Of the lost hour', version: 7 });
    await tell({ ...gone, deleted: true, version: 3 });
    await known(olderId, 7);
    await known(returnedId, 3);
    // Neither writes a word for the directory.
    await db.query('delete from projects where id = $1', [deletedId]);
    await db.query(`update projects set name = 'Renamed', version = 2 where id = $1`, [changedId]);
    const learnt = (id: string, fits: (project: DirectoryProject) => boolean) =>
      waitFor(() => [service.running.projects.project(id)].find((project) => project && fits(project)), {
        what: 'the directory to be as the table is',
        timeoutMs: 20_000,
      });
    expect(await learnt(deletedId, (project) => project.deleted)).toMatchObject({ memberIds: [], version: 2 });
    expect(await learnt(changedId, ({ name }) => name === 'Renamed')).toMatchObject({ version: 2 });
    expect(await learnt(olderId, ({ version }) => version === 8)).toMatchObject({ name: 'Customer portal' });
    expect(await learnt(returnedId, (project) => !project.deleted)).toMatchObject({ version: 4 });
    const change = { name: 'Goes on', version: 4 };
    const { status } = await service.call('PATCH', `/projects/${returnedId}`, { as: people.admin, body: change });
    expect(status).toBe(200);
    expect(await known(returnedId, 5)).toMatchObject({ name: 'Goes on' });
  });

  it('queues once what it lacks, however long that waits, and also when NATS will not take it', async () => {
    const url = await testDatabase('projects');
    await migrate(url, projectsService.migrations);
    const own = createDb(url, 2, createLogger('test', 'silent'));
    try {
      const [first, second] = [newId(), newId()];
      for (const id of [first, second]) await insertProject(own, aRow(id));
      const look = () => reconcileDirectory(own, createProjectDirectory(), new AbortController().signal);
      expect((await look()).sort()).toEqual([first, second].sort());
      await own.query('update outbox set refused_at = now() where aggregate like $1', [`%${second}`]);
      expect((await look()).sort()).toEqual([first, second].sort());
      expect((await own.query('select id from outbox')).rowCount).toBe(2);
    } finally {
      await own.pool.end();
    }
  });
});
