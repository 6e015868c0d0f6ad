import { conversationUpdated } from '@atrium/proto-events/events/chat';
import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { createDirect, createGroup, type People, request, send, startChat } from './factories.ts';
import { closeSockets, connectChat } from './sockets.ts';

const MAX_GROUPS = 6;
let service: TestService;
let people: People;
beforeAll(async () => {
  ({ service, people } = await startChat({ MAX_GROUPS_PER_USER_PER_DAY: String(MAX_GROUPS) }));
});
afterEach(closeSockets);
afterAll(() => service.close());

const call = (as: keyof People, method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: people[as], body });
const leave = (as: keyof People, id: string) => call(as, 'POST', `/chat/conversations/${id}/leave`);
const read = (as: keyof People, id: string) =>
  request<Conversation>(service, people[as], ['GET', `/chat/conversations/${id}`]);

async function createProjectConversation(): Promise<string> {
  const projectId = newId();
  await service.deliver(projectCreated, {
    projectId,
    name: 'Apollo',
    managerId: people.manager._id,
    memberIds: [people.member._id],
    status: 'in-progress',
    createdBy: people.admin._id,
    version: 1,
  });
  const id = projectConversationId(projectId);
  await waitFor(async () => (await call('member', 'GET', `/chat/conversations/${id}`)).status === 200, {
    description: 'the project conversation',
  });
  return id;
}

describe('leaving a group', () => {
  it('removes the user on all devices, and sends the change to the other participants', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    expect((await read('ben', _id)).abilities.leave).toBe(true);
    const [ben, cleo] = await Promise.all([connectChat(service, people.ben), connectChat(service, people.cleo)]);
    expect((await leave('ben', _id)).status).toBe(204);
    await ben.receives('conversation:participant_removed', ({ removedUserId }) => removedUserId === people.ben._id);
    const removal = await cleo.receives(
      'conversation:participant_removed',
      ({ removedUserId }) => removedUserId === people.ben._id,
    );
    expect(removal.left).toBe(true);
    expect((await call('ben', 'GET', `/chat/conversations/${_id}`)).status).toBe(404);
    expect(await read('cleo', _id)).toMatchObject({ participantCount: 2, createdBy: { _id: people.member._id } });
    await send(service, people.member, _id, 'without Ben');
    await cleo.receives('message:new', ({ message }) => message.content === 'without Ben');
    expect(ben.all('message:new')).toEqual([]);
    expect((await leave('ben', _id)).status).toBe(404);
  });

  it('makes the participant who joined first the creator when the creator leaves', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    expect((await read('ben', _id)).abilities.manageParticipants).toBe(false);
    const ben = await connectChat(service, people.ben);
    expect((await leave('member', _id)).status).toBe(204);
    const { personal } = await ben.receives('conversation:updated', ({ conversation }) => conversation._id === _id);
    expect(personal?.abilities).toMatchObject({ manageParticipants: true, rename: true });
    expect(await read('ben', _id)).toMatchObject({
      createdBy: { _id: people.ben._id },
      abilities: { manageParticipants: true, rename: true, leave: true },
    });
    const event = await service.waitForEvent(
      conversationUpdated,
      (data) => data.conversationId === _id && data.removedIds.includes(people.member._id),
    );
    expect(event.data.changed).toEqual(['participants', 'createdBy']);
    const add = { userId: people.member._id };
    expect((await call('ben', 'POST', `/chat/conversations/${_id}/participants`, add)).status).toBe(200);
    expect((await leave('ben', _id)).status).toBe(204);
    expect((await read('cleo', _id)).createdBy?._id).toBe(people.cleo._id);
  });

  it('by the last participant leaves an empty group to administrators', async () => {
    const { _id } = await createGroup(service, [people.cleo]);
    expect((await leave('cleo', _id)).status).toBe(204);
    const add = { userId: people.ben._id };
    const { status, body } = await call('admin', 'POST', `/chat/conversations/${_id}/participants`, add);
    expect({ status, body }).toMatchObject({ status: 200, body: { participantCount: 1, createdBy: null } });
  });

  it('is rejected with 404 for non-participants', async () => {
    const { _id } = await createGroup(service, [people.cleo, people.ben]);
    expect((await leave('stranger', _id)).status).toBe(404);
    expect((await leave('admin', _id)).status).toBe(404);
    expect((await service.call('POST', `/chat/conversations/${_id}/leave`)).status).toBe(401);
    expect((await leave('ben', newId())).status).toBe(404);
  });

  it('succeeds once per participant when several leave concurrently', async () => {
    const { _id } = await createGroup(service, [people.manager, people.ben, people.cleo]);
    const statuses = await Promise.all([leave('manager', _id), leave('ben', _id), leave('ben', _id)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 204, 404]);
    expect(await read('cleo', _id)).toMatchObject({ participantCount: 1, createdBy: { _id: people.cleo._id } });
  });
});

describe('leaving a conversation that is not a group', () => {
  it('is denied to project members and allowed for guests of a project', async () => {
    const id = await createProjectConversation();
    await call('manager', 'POST', `/chat/conversations/${id}/participants`, { userId: people.ben._id });
    for (const as of ['manager', 'member'] as const) {
      expect((await read(as, id)).abilities.leave).toBe(false);
      expect(await leave(as, id)).toMatchObject({
        status: 409,
        body: { message: 'They belong to this project. Remove them from the project instead.' },
      });
    }
    expect((await read('ben', id)).abilities.leave).toBe(true);
    expect((await leave('ben', id)).status).toBe(204);
    expect((await read('member', id)).participantCount).toBe(2);
  });

  it('is rejected for a direct conversation', async () => {
    const { _id, abilities } = await createDirect(service, people.member, people.ben);
    expect(abilities.leave).toBe(false);
    expect(await leave('ben', _id)).toMatchObject({
      status: 409,
      body: { message: 'A direct conversation cannot be left' },
    });
    expect((await call('ben', 'GET', `/chat/conversations/${_id}`)).status).toBe(200);
  });
});

describe('groups that one user creates', () => {
  const create = (as: keyof People, title: string) =>
    call(as, 'POST', '/chat/conversations', { type: 'group', title, participants: [people.ben._id] });

  it('are limited per day, even for concurrent requests, and leaving one does not reset the limit', async () => {
    const statuses = await Promise.all(
      Array.from({ length: MAX_GROUPS + 4 }, (_, at) => create('stranger', `g-${at}`)),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: MAX_GROUPS }, () => 201),
      ...Array.from({ length: 4 }, () => 429),
    ]);
    const created = statuses.find(({ status }) => status === 201)?.body as Conversation;
    expect((await leave('stranger', created._id)).status).toBe(204);
    const rejectedResponse = await create('stranger', 'one-more');
    expect(rejectedResponse).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        message: `You can create up to ${MAX_GROUPS} groups per day. Please try again tomorrow.`,
      },
    });
    expect(Number(rejectedResponse.headers.get('retry-after'))).toBeGreaterThan(0);
    const direct = { type: 'direct', participants: [people.ben._id] };
    expect((await call('stranger', 'POST', '/chat/conversations', direct)).status).toBe(201);
    expect((await create('inactive', 'not-mine')).status).toBe(401);
  });

  it('are counted from zero on the next day', async () => {
    await service.query('update group_creations set day = day - 1 where user_id = $1', [people.stranger._id]);
    expect((await create('stranger', 'tomorrow')).status).toBe(201);
  });
});
