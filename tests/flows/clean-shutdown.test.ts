import { findUnpublishedRows } from '@atrium/test-kit/system/compare-rows';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject } from '../workspace/builders.ts';
import {
  type Client,
  createProjectWithConversation,
  expectStatus,
  createUser,
  setUpWorkspace,
  upload,
} from '../workspace/workspace.ts';

let watched: WatchedContext;
let system: System;
let stores: Stores;
let admin: Client;
let project: string;

beforeAll(async () => {
  watched = createWatchedContext();
  system = await startSystemIn(watched);
  stores = await openStores(system, watched.context);
  admin = await setUpWorkspace(system.url);
  const manager = await createUser(system.url, admin, { first: 'Jonas', role: 'project_manager' });
  const created = await createProjectWithConversation(admin, manager, 'What ends well');
  project = created.project;
  await expectStatus(
    admin.call('POST', '/chat/messages', { conversation: created.conversation, content: 'Hello' }),
    201,
  );
  await expectStatus(upload(system.url, admin, 'plan.txt'), 201);
}, 600_000);
afterAll(async () => {
  await stores?.close();
  await watched?.context.reaper.close();
});

const waitUntilIdle = () =>
  waitFor(async () => (await findPendingWork(stores)).length === 0, {
    description: 'the system to be idle',
    intervalMs: 100,
  });
const createTask = async (title: string) =>
  (await expectStatus(admin.call<{ _id: string }>('POST', '/tasks', { title, project }), 201))._id;

describe('checks after a suite', () => {
  it('pass after normal operation', async () => {
    await createTask('All is well');
    await waitUntilIdle();
    expect(await findUnpublishedRows(stores)).toEqual([]);
  });

  it('fail while a consumer is down', async () => {
    await system.stopService('documents');
    await expectStatus(admin.call('POST', '/projects', buildProject('Undelivered', admin)), 201);
    await waitFor(
      async () => (await findPendingWork(stores)).join().includes('documents-project-people has 1 events'),
      {
        description: 'the lag to be reported',
      },
    );
    await system.restart('documents');
    await waitUntilIdle();
  });

  it('fail with an unpublished event', async () => {
    await stores.query(
      'users',
      `insert into outbox (subject, message_id, aggregate, payload, rejected_at) values ('users.user.lost.v1', 'a', 'a', '{}', now())`,
    );
    expect(await findPendingWork(stores)).toEqual(['1 events wait in the outbox of users, such as users.user.lost.v1']);
    await stores.query('users', 'delete from outbox');
  });

  it('fail with rows that were changed or deleted without an event', async () => {
    const [task, gone] = [await createTask('Changed in secret'), await createTask('Gone in secret')];
    await waitUntilIdle();
    await stores.query('projects', `update tasks set version = 9 where id = '${task}'`);
    await stores.query('projects', `delete from tasks where id = '${gone}'`);
    expect(await findUnpublishedRows(stores)).toEqual([
      `tasks that differ from their events, 1 of 2: ${task} (version 9, published 1)`,
      `tasks published without a row, 1 of 2: ${gone}`,
    ]);
  });

  it('fail a suite with a dead letter or a logged error', async () => {
    await admin.call('POST', '/client-errors', { message: 'a fault', path: '/' });
    await stores.jetstream.publish('atrium.dead.users.accounts', '{}');
    const end = system.stop();
    await expect(end).rejects.toThrow('1 dead letters at atrium.dead.users.accounts');
    await expect(end).rejects.toThrow('Client error reported');
  });
});
