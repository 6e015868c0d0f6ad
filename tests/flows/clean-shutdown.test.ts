import { findUnpublishedRows } from '@atrium/test-kit/system/compare-rows';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { openBox, type System, startSystemIn, type WatchedBox } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProjectWithConversation, type Client, demand, join, setUp, upload } from './workspace.ts';

let watched: WatchedBox;
let system: System;
let stores: Stores;
let admin: Client;
let project: string;

beforeAll(async () => {
  watched = openBox();
  system = await startSystemIn(watched);
  stores = await openStores(system, watched.box);
  admin = await setUp(system.url);
  const manager = await join(system.url, admin, { first: 'Jonas', role: 'project_manager' });
  const made = await aProjectWithConversation(admin, manager, 'What ends well');
  project = made.project;
  await demand(admin.call('POST', '/chat/messages', { conversation: made.conversation, content: 'Hello' }), 201);
  await demand(upload(system.url, admin, 'plan.txt'), 201);
}, 600_000);
afterAll(async () => {
  await stores?.close();
  await watched?.box.guard.close();
}, 90_000);

const atRest = () =>
  waitFor(async () => (await findPendingWork(stores)).length === 0, {
    what: 'the system to come to rest',
    everyMs: 100,
  });
const buildTask = async (title: string) =>
  (await demand(admin.call<{ _id: string }>('POST', '/tasks', { title, project }), 201))._id;

describe('what a suite must leave behind', () => {
  it('is there after ordinary work', async () => {
    await buildTask('All is well');
    await atRest();
    expect(await findUnpublishedRows(stores)).toEqual([]);
  });

  it('is not there while a consumer is away', async () => {
    await system.stopService('documents');
    const [name, description, priority, status] = ['Unheard', 'Unheard', 'low', 'in-progress'];
    const body = { name, description, projectManager: admin.id, priority, status };
    await demand(admin.call('POST', '/projects', body), 201);
    await waitFor(
      async () => (await findPendingWork(stores)).join().includes('documents-project-people has 1 events'),
      {
        what: 'the lag to be told',
      },
    );
    await system.restart('documents');
    await atRest();
  });

  it('is not there with an event that was never told', async () => {
    await stores.query(
      'users',
      `insert into outbox (subject, message_id, aggregate, payload, refused_at) values ('users.user.lost.v1', 'a', 'a', '{}', now())`,
    );
    expect(await findPendingWork(stores)).toEqual(['1 events wait in the outbox of users, such as users.user.lost.v1']);
    await stores.query('users', 'delete from outbox');
  });

  it('is not there with a row that nobody was told of, or that is gone without a word', async () => {
    const [task, gone] = [await buildTask('Changed in secret'), await buildTask('Gone in secret')];
    await atRest();
    await stores.query('projects', `update tasks set version = 9 where id = '${task}'`);
    await stores.query('projects', `delete from tasks where id = '${gone}'`);
    expect(await findUnpublishedRows(stores)).toEqual([
      `tasks that are otherwise than told, 1 of 2: ${task} (version 9, told 1)`,
      `tasks told of that are not there, 1 of 2: ${gone}`,
    ]);
  });

  it('fails the suite whose system stops with a dead letter, after a complaint', async () => {
    await admin.call('POST', '/client-errors', { message: 'a fault', path: '/' });
    await stores.jetstream.publish('atrium.dead.users.accounts', '{}');
    const end = system.stop();
    await expect(end).rejects.toThrow('1 dead letters at atrium.dead.users.accounts');
    await expect(end).rejects.toThrow('a browser met a fault');
  });
});
