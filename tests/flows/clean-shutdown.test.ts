import { findUnpublishedRows } from '@atrium/test-kit/system/compare-rows';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitUntilIdle } from '@atrium/test-kit/system/wait-until-idle';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject } from '../workspace/builders.ts';
import {
  type Client,
  createProjectWithConversation,
  createUser,
  expectStatus,
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
  const created = await createProjectWithConversation(admin, manager, 'Clean shutdown');
  project = created.project;
  await expectStatus(
    admin.call('POST', '/chat/messages', { conversation: created.conversation, content: 'Hello' }),
    201,
  );
  await expectStatus(upload(system.url, admin, 'plan.txt'), 201);
});
afterAll(async () => {
  await stores?.close();
  await watched?.context.reaper.close();
});

const createTask = async (title: string) =>
  (await expectStatus(admin.call<{ _id: string }>('POST', '/tasks', { title, project }), 201))._id;

describe('the checks when a system stops', () => {
  it('find nothing after normal operation', async () => {
    await createTask('Published');
    await waitUntilIdle(stores);
    expect(await findUnpublishedRows(stores)).toEqual([]);
  });

  it('find the lag of a consumer that is down', async () => {
    await system.stopService('documents');
    await expectStatus(admin.call('POST', '/projects', buildProject('Undelivered', admin)), 201);
    await waitFor(
      async () => (await findPendingWork(stores)).join().includes('documents-project-people has 1 events'),
      {
        description: 'the lag to be reported',
      },
    );
    await system.restart('documents');
    await waitUntilIdle(stores);
  });

  it('find an unpublished event', async () => {
    await stores.query(
      'users',
      `insert into outbox (subject, message_id, aggregate, payload, rejected_at) values ('users.user.lost.v1', 'a', 'a', '{}', now())`,
    );
    expect(await findPendingWork(stores)).toEqual(['1 events wait in the outbox of users, such as users.user.lost.v1']);
    await stores.query('users', 'delete from outbox');
  });

  it('find rows that were changed or deleted without an event', async () => {
    const changedId = await createTask('Changed without an event');
    const deletedId = await createTask('Deleted without an event');
    await waitUntilIdle(stores);
    await stores.query('projects', `update tasks set version = 9 where id = '${changedId}'`);
    await stores.query('projects', `delete from tasks where id = '${deletedId}'`);
    expect(await findUnpublishedRows(stores)).toEqual([
      `tasks that differ from their events, 1 of 2: ${changedId} (version 9, published 1)`,
      `tasks published without a row, 1 of 2: ${deletedId}`,
    ]);
  });

  it('let the stop fail after a dead letter or a logged error', async () => {
    await admin.call('POST', '/client-errors', { message: 'an error', path: '/' });
    await stores.jetstream.publish('atrium.dead.users.accounts', '{}');
    const stopped = system.stop();
    await expect(stopped).rejects.toThrow('1 dead letters at atrium.dead.users.accounts');
    await expect(stopped).rejects.toThrow('Client error reported');
  });
});
