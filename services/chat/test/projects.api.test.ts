import { conversationCreated, conversationUpdated } from '@atrium/proto-events/events/chat';
import type { Conversation, SharedConversation } from '@atrium/proto-events/http/chat/conversations';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { MAX_NAMED_CHANGES } from '../src/sockets/broadcaster.ts';
import { type People, request } from './factories.ts';
import { deliverCreated, deliverUpdated, readConversation } from './project-events.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

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
