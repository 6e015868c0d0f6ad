import { conversationCreated, conversationUpdated } from '@atrium/proto-events/events/chat';
import { projectDeleted } from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { request, send } from './factories.ts';
import { deliverCreated, deliverUpdated, readConversation } from './project-events.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

const deliverDeleted = (projectId: string, times = 2) =>
  service.deliver(projectDeleted, { projectId, name: 'Customer portal' }, times);

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
