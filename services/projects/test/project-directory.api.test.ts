import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { openBucket, readBucketState } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/service/start-service';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { reconcileDirectory } from '../src/directory/sync-directory.ts';
import { insertProject, type NewProject } from '../src/projects/project-repository.ts';
import { createProject, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(async () => {
  for (const { connection } of openConnections) await connection.close();
  await service.close();
});

const buildProjectRow = (id: string): NewProject => ({
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

const buildEntry = (id: string, version: number): DirectoryProject => ({
  _id: id,
  name: 'Portal',
  managerId: newId(),
  memberIds: [],
  deleted: false,
  version,
});

const openConnections: Messaging[] = [];

async function connectTo({ env }: TestService): Promise<Messaging> {
  const { NATS_URL: url = '', NATS_PREFIX: prefix = '' } = env;
  const log = createLogger('test', 'silent');
  const messaging = await connectMessaging({ access: { servers: url }, prefix, replicas: 1, name: 'test', log });
  openConnections.push(messaging);
  return messaging;
}

const failNotFound = (id: string): never => {
  throw new Error(`Project ${id} not found in the directory`);
};

/** Waits for a version of the project in the directory. */
const waitForVersion = (id: string, version: number) =>
  waitFor(() => service.running.projects.project(id)?.version === version && service.running.projects.project(id), {
    description: `version ${version} of the project in the directory`,
  });

describe('the project directory', () => {
  it('follows a project from creation to deletion', async () => {
    const { _id } = await createProject(service, users);
    const expectedEntry = { _id, name: 'Customer portal', managerId: users.manager._id, deleted: false };
    expect(await waitForVersion(_id, 1)).toEqual({ ...expectedEntry, memberIds: [users.member._id], version: 1 });
    await service.call('PATCH', `/projects/${_id}`, { as: users.admin, body: { name: 'Portal' } });
    expect(await waitForVersion(_id, 2)).toMatchObject({ name: 'Portal' });
    await service.call('POST', `/projects/${_id}/team-members`, {
      as: users.admin,
      body: { userId: users.colleague._id },
    });
    expect(await waitForVersion(_id, 3)).toMatchObject({ memberIds: [users.member._id, users.colleague._id] });
    await service.call('DELETE', `/projects/${_id}/team-members/${users.member._id}`, { as: users.admin });
    expect(await waitForVersion(_id, 4)).toMatchObject({ memberIds: [users.colleague._id] });
    expect((await service.call('DELETE', `/projects/${_id}`, { as: users.admin })).status).toBe(204);
    expect(await waitForVersion(_id, 5)).toMatchObject({ deleted: true, memberIds: [] });
  });

  it('is completed on start when entries are missing', async () => {
    const firstStart = await startProjects();
    const projects = await Promise.all(
      Array.from({ length: 3 }, () => createProject(firstStart.service, firstStart.users)),
    );
    await firstStart.service.close();
    const { env, tokens } = firstStart.service;
    const { prefix } = await testNats();
    const restarted = await startService(projectsService, readConfig({ ...env, NATS_PREFIX: prefix }), {
      keys: tokens.keys,
    });
    try {
      for (const { _id } of projects) {
        const entry = await waitFor(() => restarted.projects.project(_id), {
          description: 'the project in an empty directory',
        });
        expect(entry).toMatchObject({ _id, name: 'Customer portal', version: 1 });
      }
      await waitFor(() => restarted.projects.isComplete(), { description: 'the directory to be marked complete' });
    } finally {
      await restarted.close();
    }
  });

  it('is marked complete even without projects', async () => {
    const { service: empty } = await startProjects();
    try {
      await waitFor(() => empty.running.projects.isComplete(), { description: 'the directory to be marked complete' });
    } finally {
      await empty.close();
    }
  });

  it('is corrected on start after a database restore', async () => {
    const beforeRestore = await startProjects();
    // Until the first comparison, all projects are queued, which would put version 1 behind the newer versions of this
    // test.
    await waitFor(() => beforeRestore.service.running.projects.isComplete(), { description: 'the first comparison' });
    const waitForVersion = (id: string, version: number) =>
      waitFor(() => beforeRestore.service.running.projects.project(id)?.version === version, {
        description: `version ${version}`,
      });
    const createdProjects = await Promise.all(
      Array.from({ length: 4 }, () => createProject(beforeRestore.service, beforeRestore.users)),
    );
    const [deletedId = '', changedId = '', olderId = '', returnedId = ''] = createdProjects.map(({ _id }) => _id);
    for (const { _id } of createdProjects) await waitForVersion(_id, 1);
    const bucket = await openBucket(
      await connectTo(beforeRestore.service),
      `${beforeRestore.service.env.NATS_PREFIX}_projects`,
    );
    const put = (project: DirectoryProject) => bucket.put(`project.${project._id}`, JSON.stringify(project));
    const getEntry = (id: string) => beforeRestore.service.running.projects.project(id) ?? failNotFound(id);
    await put({ ...getEntry(olderId), name: 'Newer than the restore', version: 7 });
    await put({ ...getEntry(returnedId), deleted: true, version: 3 });
    await waitForVersion(olderId, 7);
    await waitForVersion(returnedId, 3);
    // These changes do not publish to the directory.
    await beforeRestore.service.query('delete from projects where id = $1', [deletedId]);
    await beforeRestore.service.query(`update projects set name = 'Renamed', version = 2 where id = $1`, [changedId]);
    await beforeRestore.service.close();

    const { env, tokens } = beforeRestore.service;
    const restarted = await startService(projectsService, readConfig(env), { keys: tokens.keys });
    try {
      const waitForEntry = (id: string, isExpected: (project: DirectoryProject) => boolean) =>
        waitFor(() => [restarted.projects.project(id)].find((project) => project && isExpected(project)), {
          description: 'the directory to match the table',
        });
      expect(await waitForEntry(deletedId, (project) => project.deleted)).toMatchObject({ memberIds: [], version: 2 });
      expect(await waitForEntry(changedId, ({ name }) => name === 'Renamed')).toMatchObject({ version: 2 });
      expect(await waitForEntry(olderId, ({ version }) => version === 8)).toMatchObject({ name: 'Customer portal' });
      expect(await waitForEntry(returnedId, (project) => !project.deleted)).toMatchObject({ version: 4 });
    } finally {
      await restarted.close();
    }
  });

  it('is refilled based on the bucket, not on the in-memory state of a pod', async () => {
    const { _id } = await createProject(service, users);
    await waitForVersion(_id, 1);
    const messaging = await connectTo(service);
    const stream = `KV_${messaging.projectsBucket}`;
    const { config } = await messaging.manager.streams.info(stream);
    const readRevision = async () => (await messaging.manager.streams.info(stream)).state.last_seq;
    await messaging.manager.streams.delete(stream);
    await messaging.manager.streams.add(config);
    const isComplete = async () => (await readBucketState(messaging, messaging.projectsBucket)).isComplete;
    await waitFor(isComplete, { description: 'the new bucket to be complete' });
    const revisionWhenComplete = await readRevision();
    // A later change is a single entry, and nothing is requeued.
    await service.call('PATCH', `/projects/${_id}`, { as: users.admin, body: { name: 'Portal' } });
    await waitForVersion(_id, 2);
    expect(await readRevision()).toBe(revisionWhenComplete + 1);
  });

  it('has missing entries queued once, even if NATS is slow or rejects them', async () => {
    const url = await testDatabase('projects');
    await migrate(url, projectsService.migrations);
    const db = createDb(url, 2, createLogger('test', 'silent'));
    try {
      const firstId = newId();
      const secondId = newId();
      for (const id of [firstId, secondId]) await insertProject(db, buildProjectRow(id));
      const reconcile = () => reconcileDirectory(db, createProjectDirectory(), new AbortController().signal);
      expect((await reconcile()).sort()).toEqual([firstId, secondId].sort());
      await db.query('update outbox set rejected_at = now() where aggregate like $1', [`%${secondId}`]);
      expect((await reconcile()).sort()).toEqual([firstId, secondId].sort());
      expect((await db.query('select id from outbox')).rowCount).toBe(2);
      // Versions older than the directory, as in the outbox of a restored database, would revert it, so newer ones are
      // queued.
      const newerDirectory = createProjectDirectory();
      for (const id of [firstId, secondId]) newerDirectory.putProject(buildEntry(id, 7));
      await reconcileDirectory(db, newerDirectory, new AbortController().signal);
      expect((await db.query(`select payload::jsonb -> 'version' as v from outbox order by id`)).rows).toEqual([
        { v: 1 },
        { v: 1 },
        { v: 8 },
        { v: 8 },
      ]);
    } finally {
      await db.pool.end();
    }
  });
});
