import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { documentUpdated } from '@atrium/proto-events/events/documents';
import { projectUpdated, taskCreated } from '@atrium/proto-events/events/projects';
import type { Change } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { MAX_WAITING_PER_USER } from '../src/live-updates/change-feed.ts';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';
import { buildTaskEvent } from './task-events.ts';

/** The client has inserted `people` into the items. */
type Page = { data: Change[]; position: string };
type Query = { since?: string; tags?: string; wait?: number };

const path = (query: Query) =>
  `/changes?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`;
const readAs = (as: keyof People, query: Query = {}) => request<Page>(service, people[as], ['GET', path(query)]);
const callAs = (as: keyof People, query: Query) => service.call('GET', path(query), { as: people[as] });
const readPosition = async () => (await readAs('admin')).position;
const listIds = ({ data }: Page) => data.map(({ id }) => id);

const changeProject = (projectId: string) =>
  service.deliver(projectUpdated, {
    projectId,
    name: 'Name',
    status: 'in-progress',
    managerId: newId(),
    memberIds: [],
    version: 2,
    progress: 5,
    changed: ['progress'],
  });

/** Reads until there is a change of the resource, and returns that page. */
const readChangeOf = (id: string, as: keyof People, query: Query) =>
  waitFor(
    async () => {
      const page = await readAs(as, query);
      return listIds(page).includes(id) ? page : undefined;
    },
    { description: `the change for ${as}` },
  );

describe('GET /changes', () => {
  it('responds with the position only, and then with public changes of the tags since that position', async () => {
    const first = await readAs('stranger');
    expect(first).toEqual({ data: [], position: expect.stringMatching(/./) });
    const projectId = newId();
    const { event, item } = buildTaskEvent(projectId, { createdBy: people.ben });
    await service.deliver(taskCreated, event);
    await changeProject(projectId);
    const since = first.position;
    const projects = await readChangeOf(projectId, 'stranger', { since, tags: 'projects' });
    expect(listIds(projects)).toEqual([projectId]);
    const both = await readAs('stranger', { since, tags: `projects,tasks-in:${projectId}` });
    expect(both.data).toMatchObject([
      {
        resource: 'task',
        id: event.taskId,
        action: 'created',
        version: 1,
        item: { ...item, createdBy: { firstName: 'Ben' } },
      },
      { resource: 'project', id: projectId },
    ]);
    expect(listIds(await readAs('stranger', { since }))).toEqual([]);
    expect(listIds(await readAs('stranger', { since: both.position, tags: 'projects,tasks' }))).toEqual([]);
  });

  it('includes private changes of what the caller can see, regardless of tags, and no others', async () => {
    const since = await readPosition();
    const group = await createGroup(service, [people.member, people.ben]);
    const documentId = newId();
    await service.deliver(documentUpdated, {
      documentId,
      name: 'Plan',
      uploadedBy: people.member._id,
      audience: { everyone: false, userIds: [] },
      version: 2,
      project: null,
      changed: ['name'],
    });
    await send(service, people.member, group._id);
    const isMessage = ({ resource, id }: Change) => resource === 'message' && id === group._id;
    for (const as of ['member', 'ben'] as const)
      await waitFor(async () => (await readAs(as, { since })).data.some(isMessage), {
        description: `the message for ${as}`,
      });
    expect(listIds(await readAs('member', { since }))).toContain(documentId);
    expect(listIds(await readAs('ben', { since }))).not.toContain(documentId);
    expect(listIds(await readAs('admin', { since }))).toEqual([documentId]);
    const everything = 'projects,tasks,documents,conversations,meetings,users,people';
    expect(listIds(await readAs('stranger', { since, tags: everything }))).toEqual([]);
  });

  it('includes no messages of a conversation that the caller has left', async () => {
    const group = await createGroup(service, [people.member, people.ben]);
    const since = await readPosition();
    const participant = `/chat/conversations/${group._id}/participants/${people.ben._id}`;
    await request(service, people.member, ['DELETE', participant]);
    await send(service, people.member, group._id, 'without Ben');
    const isMessage = ({ resource, id }: Change) => resource === 'message' && id === group._id;
    await waitFor(async () => (await readAs('member', { since })).data.some(isMessage), {
      description: 'the message for a participant',
    });
    const { data } = await readAs('ben', { since, tags: 'conversations' });
    // The creation may have been published after the position was read.
    expect(data.filter(({ action }) => action !== 'created')).toMatchObject([
      { resource: 'conversation', id: group._id, changed: ['participants'] },
    ]);
  });

  it('responds 410 to a position that is unknown, and 400 to unknown tags', async () => {
    expect(await callAs('ben', { since: 'nonsense' })).toMatchObject({
      status: 410,
      body: { code: 'position_expired' },
    });
    expect(await callAs('ben', { since: 'nonsense', wait: 1 })).toMatchObject({ status: 410 });
    for (const tags of ['everything', `task:${newId()},task:1`])
      expect(await callAs('ben', { tags })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await service.call('GET', '/changes')).toMatchObject({ status: 401 });
  });
});

describe('GET /changes with wait', () => {
  it('responds as soon as something matches', async () => {
    const since = await readPosition();
    const waiting = Promise.all([
      readAs('ben', { since, tags: 'projects', wait: 25 }),
      readAs('stranger', { since, tags: 'projects', wait: 25 }),
    ]);
    const startedAt = performance.now();
    const direct = await createDirect(service, people.cleo, people.admin);
    const projectId = newId();
    await changeProject(projectId);
    expect((await waiting).map(listIds)).toEqual([[projectId], [projectId]]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await readChangeOf(direct._id, 'admin', { since, wait: 25 });
  });

  it('responds without changes once the time is over', async () => {
    const since = await readPosition();
    const startedAt = performance.now();
    const page = await readAs('manager', { since, tags: `task:${newId()}`, wait: 1 });
    expect(page.data).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it('includes no message that is sent after the caller was removed', async () => {
    const start = await readPosition();
    const group = await createGroup(service, [people.member, people.cleo]);
    const { position: since } = await readChangeOf(group._id, 'cleo', { since: start });
    const participant = `/chat/conversations/${group._id}/participants/${people.cleo._id}`;
    const removal = readAs('cleo', { since, wait: 25 });
    await request(service, people.member, ['DELETE', participant]);
    const removed = await removal;
    expect(removed.data).toMatchObject([{ resource: 'conversation', id: group._id }]);
    const waiting = readAs('cleo', { since: removed.position, tags: 'projects', wait: 25 });
    await send(service, people.member, group._id, 'without Cleo');
    const projectId = newId();
    await changeProject(projectId);
    expect(listIds(await waiting)).toEqual([projectId]);
  });

  it('ends with 401 if the session ended in the meantime', async () => {
    const since = await readPosition();
    const sessionId = newId();
    const token = await service.tokens.sign(people.ben, { sessionId });
    const readStatus = async (query: Query) =>
      (await fetch(`${service.url}/api${path(query)}`, { headers: { authorization: `Bearer ${token}` } })).status;
    const waiting = readStatus({ since, tags: 'projects', wait: 25 });
    await service.deliver(sessionRevoked, { userId: people.ben._id, sessionId, reason: 'logout' });
    await waitFor(async () => (await readStatus({})) === 401, { description: 'the session to end' });
    await changeProject(newId());
    expect(await waiting).toBe(401);
  });

  it('is limited to a few requests per user', async () => {
    const since = await readPosition();
    const query = { since, tags: 'projects', wait: 25 };
    const waiting = Array.from({ length: MAX_WAITING_PER_USER + 1 }, () => callAs('ben', query));
    const rejected = await Promise.race(waiting);
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await callAs('ben', { since, tags: 'projects' })).toMatchObject({ status: 200 });
    await changeProject(newId());
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(MAX_WAITING_PER_USER).fill(200), 429]);
    expect(await callAs('ben', { since, tags: 'projects', wait: 25 })).toMatchObject({ status: 200 });
  });

  it('ends when the pod stops', async () => {
    const pod = await startSecondPod(service, people);
    const authorization = `Bearer ${await pod.tokens.sign(people.ben)}`;
    const read = async (query: Query) =>
      (await fetch(`${pod.url}/api${path(query)}`, { headers: { authorization } })).json() as Promise<Page>;
    const { position: since } = await read({});
    const waiting = read({ since, tags: `task:${newId()}`, wait: 25 });
    // Connections are accepted in order.
    await read({});
    const startedAt = performance.now();
    await pod.close();
    expect((await waiting).data).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
