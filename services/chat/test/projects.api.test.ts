import { conversationCreated, conversationUpdated } from '@atrium/proto-events/events/chat';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import type { Conversation, SharedConversation } from '@atrium/proto-events/http/chat/conversations';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { MAX_NAMED_CHANGES } from '../src/sockets/broadcaster.ts';
import { type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

const projectData = (projectId: string, overrides: Record<string, unknown> = {}) => ({
  projectId,
  name: 'Customer portal',
  status: 'in-progress',
  managerId: people.manager._id,
  memberIds: [people.member._id, people.ben._id],
  version: 1,
  ...overrides,
});
const deliverCreated = (projectId: string, overrides: Record<string, unknown> = {}, times = 2) =>
  service.deliver(projectCreated, { ...projectData(projectId, overrides), createdBy: people.admin._id }, times);
const deliverUpdated = (projectId: string, overrides: Record<string, unknown> = {}, times = 2) =>
  service.deliver(
    projectUpdated,
    { ...projectData(projectId, { version: 2, ...overrides }), progress: 5, changed: [] },
    times,
  );
const deliverDeleted = (projectId: string, times = 2) =>
  service.deliver(projectDeleted, { projectId, name: 'Customer portal' }, times);

const readConversation = async (as: keyof People, projectId: string) => {
  const { status, body } = await service.call('GET', `/chat/conversations/${projectConversationId(projectId)}`, {
    as: people[as],
  });
  return status === 200 ? (body as Conversation) : undefined;
};
const listNames = (conversation: SharedConversation | undefined) =>
  conversation?.participants.map(({ firstName }) => firstName).sort();

describe('a new project', () => {
  it('creates one conversation with its manager and members, even if the event is redelivered', async () => {
    const member = await connectChat(service, people.member);
    const projectId = newId();
    const countBefore = service.countPublished(conversationCreated);
    await deliverCreated(projectId);
    const { conversation } = await member.receives('conversation:new');
    expect(conversation).toMatchObject({
      _id: projectConversationId(projectId),
      type: 'project',
      title: 'Customer portal',
      project: { _id: projectId, projectManager: people.manager._id },
      createdBy: { firstName: 'Ada' },
      abilities: { rename: false, manageParticipants: false, delete: false },
    });
    expect(listNames(conversation)).toEqual(['Ben', 'Mia', 'Paul']);
    await service.waitForEvent(conversationCreated, (data) => data.projectId === projectId);
    expect(service.countPublished(conversationCreated)).toBe(countBefore + 1);
    expect(member.all('conversation:new')).toHaveLength(1);
    expect((await readConversation('manager', projectId))?.abilities).toEqual({
      leave: false,
      mentionEveryone: true,
      addPeople: true,
      manageGroups: false,
      requireGroups: false,
      rename: true,
      post: true,
      archive: false,
      manageParticipants: true,
      delete: false,
      deleteMessages: false,
    });
    expect(await readConversation('admin', projectId)).toBeUndefined();
  });

  it('has a conversation that participants can find by the project id', async () => {
    const projectId = newId();
    await Promise.all([deliverCreated(projectId), deliverCreated(newId())]);
    const list = (as: keyof People, query: string) =>
      service.call('GET', `/chat/conversations?${query}`, { as: people[as] });
    const expected = [{ _id: projectConversationId(projectId), unreadCount: 0 }];
    const { body } = await list('ben', `project=${projectId}&limit=1`);
    expect(body).toMatchObject({ data: expected, total: 1, totalPages: 1 });
    expect((await list('ben', `project=${projectId}&page=2`)).body).toMatchObject({ data: [], total: 1 });
    expect((await list('admin', `project=${projectId}`)).body).toMatchObject({ data: [], total: 0 });
    expect((await list('ben', `project=${newId()}`)).body).toMatchObject({ data: [], total: 0 });
    expect((await list('ben', 'project=nonsense')).status).toBe(400);
  });
});

describe('a changed project', () => {
  it('updates the title and the participants of its conversation, and sends the change to affected users', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const [ben, cleo] = await Promise.all([connectChat(service, people.ben), connectChat(service, people.cleo)]);
    await deliverUpdated(projectId, { name: 'Portal', memberIds: [people.member._id, people.cleo._id] });
    expect(await ben.receives('conversation:participant_removed')).toMatchObject({ removedUserId: people.ben._id });
    expect((await cleo.receives('conversation:new')).conversation.title).toBe('Portal');
    expect(listNames(await readConversation('member', projectId))).toEqual(['Cleo', 'Mia', 'Paul']);
    expect(await readConversation('ben', projectId)).toBeUndefined();
    const event = await service.waitForEvent(conversationUpdated, (data) => data.projectId === projectId);
    expect(event.data).toMatchObject({
      addedIds: [people.cleo._id],
      removedIds: [people.ben._id],
      changed: ['title', 'participants'],
    });
  });

  it('sends each affected user their own change only if many participants change', async () => {
    const projectId = newId();
    const team = Array.from({ length: MAX_NAMED_CHANGES }, newId);
    await deliverCreated(projectId, { memberIds: [people.member._id, people.ben._id, ...team] });
    const [member, ben, cleo] = await Promise.all([
      connectChat(service, people.member),
      connectChat(service, people.ben),
      connectChat(service, people.cleo),
    ]);
    await deliverUpdated(projectId, { memberIds: [people.member._id, people.cleo._id] });
    expect(await ben.receives('conversation:participant_removed')).toMatchObject({ removedUserId: people.ben._id });
    const isProjectConversation = ({ conversation }: { conversation: SharedConversation }) =>
      conversation.project?._id === projectId;
    expect(listNames((await cleo.receives('conversation:new', isProjectConversation)).conversation)).toEqual([
      'Cleo',
      'Mia',
      'Paul',
    ]);
    expect(listNames((await member.receives('conversation:updated', isProjectConversation)).conversation)).toEqual([
      'Cleo',
      'Mia',
      'Paul',
    ]);
    const eventCounts = [member, ben, cleo].map(({ all }) => [
      all('conversation:participant_added').length,
      all('conversation:participant_removed').length,
    ]);
    expect(eventCounts).toEqual([
      [0, 0],
      [0, 1],
      [0, 0],
    ]);
  });

  it('creates the conversation if the creation event was missed', async () => {
    const projectId = newId();
    await deliverUpdated(projectId, { version: 7 });
    expect(listNames(await readConversation('member', projectId))).toEqual(['Ben', 'Mia', 'Paul']);
    await deliverCreated(projectId, { name: 'Too late' });
    expect(await readConversation('member', projectId)).toMatchObject({ title: 'Customer portal', createdBy: null });
  });

  it('ignores an event that is older than the current version', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    await deliverUpdated(projectId, { version: 5, name: 'Newest' });
    await deliverUpdated(projectId, { version: 4, name: 'Older', memberIds: [] });
    expect(await readConversation('ben', projectId)).toMatchObject({ title: 'Newest' });
  });

  it('keeps the title and the guests that its manager set', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const path = `/chat/conversations/${projectConversationId(projectId)}`;
    await request(service, people.manager, ['PATCH', path, { title: 'War room' }]);
    await request(service, people.manager, ['POST', `${path}/participants`, { userId: people.cleo._id }]);
    await deliverUpdated(projectId, { version: 2 });
    expect(await readConversation('cleo', projectId)).toMatchObject({ title: 'War room' });
    expect(listNames(await readConversation('member', projectId))).toEqual(['Ben', 'Cleo', 'Mia', 'Paul']);
  });

  it('does not let members be removed from the conversation without leaving the project', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const path = `/chat/conversations/${projectConversationId(projectId)}/participants`;
    for (const as of ['manager', 'admin'] as const) {
      const { status, body } = await service.call('DELETE', `${path}/${people.ben._id}`, { as: people[as] });
      expect([status, body]).toMatchObject([
        409,
        { message: 'They belong to this project. Remove them from the project instead.' },
      ]);
    }
    expect((await service.call('DELETE', `${path}/${people.ben._id}`, { as: people.member })).status).toBe(403);
    await deliverUpdated(projectId, { version: 2, memberIds: [people.member._id] });
    expect(listNames(await readConversation('member', projectId))).toEqual(['Mia', 'Paul']);
  });

  it('keeps guests until they are removed, or leave a project that they joined', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const path = `/chat/conversations/${projectConversationId(projectId)}/participants`;
    const add = (as: keyof People) =>
      request<Conversation>(service, people.manager, ['POST', path, { userId: people[as]._id }]);
    expect((await add('cleo')).project?.guests).toEqual([people.cleo._id]);
    expect((await add('stranger')).project?.guests).toEqual([people.cleo._id, people.stranger._id]);
    const memberIds = [people.member._id, people.ben._id, people.cleo._id];
    await deliverUpdated(projectId, { version: 2, memberIds });
    expect((await readConversation('member', projectId))?.project?.guests).toEqual([people.stranger._id]);
    await deliverUpdated(projectId, { version: 3, memberIds: [people.member._id, people.ben._id] });
    expect(listNames(await readConversation('member', projectId))).toEqual(['Ben', 'Mia', 'Paul', 'Stan']);
    expect((await service.call('DELETE', `${path}/${people.stranger._id}`, { as: people.manager })).status).toBe(204);
    expect((await readConversation('member', projectId))?.project?.guests).toEqual([]);
  });

  it('restores missing members when it changes', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const deleteRow = () =>
      service.query('delete from participants where conversation_id = $1 and user_id = $2', [
        projectConversationId(projectId),
        people.ben._id,
      ]);
    await deleteRow();
    await deliverUpdated(projectId, { version: 2 });
    expect(listNames(await readConversation('member', projectId))).toEqual(['Ben', 'Mia', 'Paul']);
  });

  it('lets only its manager and administrators change participants', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const path = `/chat/conversations/${projectConversationId(projectId)}/participants`;
    const add = (as: keyof People) =>
      service.call('POST', path, { as: people[as], body: { userId: people.stranger._id } });
    expect((await add('member')).status).toBe(403);
    expect((await add('manager')).status).toBe(200);
    expect((await service.call('DELETE', `${path}/${people.stranger._id}`, { as: people.admin })).status).toBe(204);
  });
});

describe('a conversation about a project', () => {
  const create = (body: object) =>
    service.call('POST', '/chat/conversations', {
      as: people.member,
      body: { participants: [people.cleo._id], ...body },
    });
  const addToDirectory = (project: string, deleted = false) =>
    service.addProjects({
      _id: project,
      name: 'Portal',
      managerId: people.manager._id,
      memberIds: [],
      deleted,
      version: 1,
    });

  it('is unavailable while the project directory is incomplete', async () => {
    expect(await create({ type: 'direct', project: newId() })).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
  });

  it('includes its project, and is rejected if the project does not exist', async () => {
    const existingId = newId();
    const deletedId = newId();
    addToDirectory(existingId);
    addToDirectory(deletedId, true);
    for (const body of [{ type: 'group', title: 'about-it' }, { type: 'direct' }]) {
      for (const project of [deletedId, newId()]) {
        const { status, body: response } = await create({ ...body, project });
        expect([status, response]).toMatchObject([400, { message: ['Project not found'] }]);
      }
      expect((await create({ ...body, project: 'nonsense' })).status).toBe(400);
      const { status, body: conversation } = await create({ ...body, project: existingId });
      expect([status, conversation]).toMatchObject([
        201,
        { type: body.type, project: { _id: existingId, projectManager: people.manager._id } },
      ]);
      const event = await service.waitForEvent(
        conversationCreated,
        (data) => data.conversationId === (conversation as Conversation)._id,
      );
      expect(event.data.projectId).toBe(existingId);
    }
  });
});

describe('a deleted project', () => {
  it('deletes its conversation, and late events do not recreate it', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    const id = projectConversationId(projectId);
    await send(service, people.member, id);
    const ben = await connectChat(service, people.ben);
    await deliverDeleted(projectId);
    expect(await ben.receives('conversation:deleted')).toEqual({ conversation: id });
    await deliverUpdated(projectId, { version: 9 });
    await deliverCreated(projectId, { version: 10 });
    expect(await readConversation('member', projectId)).toBeUndefined();
    expect(ben.all('conversation:new')).toEqual([]);
  });

  it('gets no conversation from late events, even if its creation event arrives after its deletion', async () => {
    const projectId = newId();
    await deliverDeleted(projectId);
    await deliverCreated(projectId);
    expect(await readConversation('member', projectId)).toBeUndefined();
  });
});

describe('a project conversation that an administrator deleted', () => {
  it('stays deleted when the project changes', async () => {
    const projectId = newId();
    await deliverCreated(projectId);
    await request(service, people.admin, ['DELETE', `/chat/conversations/${projectConversationId(projectId)}`]);
    await deliverUpdated(projectId, { name: 'New name', memberIds: [people.member._id] });
    expect(await readConversation('member', projectId)).toBeUndefined();
  });
});

describe('a user who was deactivated', () => {
  it('leaves groups and project conversations, is replaced as creator, and stays in direct conversations', async () => {
    const deactivatedUser = { ...people.ben, _id: newId() };
    service.addToDirectory(deactivatedUser);
    const post = async (body: unknown) => {
      const { status, body: conversation } = await service.call('POST', '/chat/conversations', {
        as: deactivatedUser,
        body,
      });
      expect(status).toBe(201);
      return conversation as Conversation;
    };
    const group = await post({ type: 'group', title: 'leavers', participants: [people.member._id] });
    const direct = await post({ type: 'direct', participants: [people.member._id] });
    const projectId = newId();
    await deliverCreated(projectId, { managerId: deactivatedUser._id });
    service.addToDirectory({ ...deactivatedUser, status: 'inactive', version: 2 });
    await service.deliver(
      userDeactivated,
      { userId: deactivatedUser._id, reason: 'deactivated', version: 2 },
      2,
      people.admin._id,
    );

    const read = async (id: string) =>
      (await service.call('GET', `/chat/conversations/${id}`, { as: people.member })).body as Conversation;
    const listIds = (conversation: Conversation) => conversation.participants.map(({ _id }) => _id);
    expect(listIds(await read(group._id))).toEqual([people.member._id]);
    expect(await read(group._id)).toMatchObject({
      createdBy: { _id: people.member._id },
      abilities: { manageParticipants: true },
    });
    expect(listIds(await read(direct._id))).toContain(deactivatedUser._id);
    expect(service.countPublished(conversationUpdated, (data) => data.conversationId === group._id)).toBe(1);
    // A new event of a project that they managed does not bring them back.
    await deliverUpdated(projectId, { managerId: deactivatedUser._id, name: 'Other portal' });
    expect(listIds(await read(projectConversationId(projectId)))).not.toContain(deactivatedUser._id);
    service.addToDirectory({ ...deactivatedUser, version: 3 });
    expect(listIds(await read(group._id))).toEqual([people.member._id]);
  });
});
