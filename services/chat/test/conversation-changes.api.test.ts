import { conversationDeleted, conversationUpdated } from '@atrium/proto-events/events/chat';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';

const UNKNOWN = 'f'.repeat(24);
const MANAGE_DENIED = "You don't have permission to manage this conversation.";

describe('PATCH /chat/conversations/:id', () => {
  const rename = (as: keyof People, id: string, title: unknown) =>
    call(as, 'PATCH', `/chat/conversations/${id}`, { title });

  it('lets the creator rename a group, and publishes the change', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const { status, body } = await rename('member', _id, ' New name ');
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'New name', version: 2 });
    const event = await service.waitForEvent(conversationUpdated, (data) => data.conversationId === _id);
    expect(event.data).toMatchObject({ title: 'New name', changed: ['title'], addedIds: [], removedIds: [] });
  });

  it('lets an administrator rename a group by id without showing its messages', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id, 'private');
    const { status, body } = await rename('admin', _id, 'Renamed');
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Renamed', lastMessage: null, unreadCount: 0 });
  });

  it('denies other participants with the specified message, and responds with 404 to everyone else', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const rejectedResponse = await rename('ben', _id, 'Mine');
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: MANAGE_DENIED });
    expect((await rename('stranger', _id, 'Mine')).status).toBe(404);
    expect((await rename('admin', UNKNOWN, 'Mine')).status).toBe(404);
    expect((await rename('admin', 'nonsense', 'Mine')).status).toBe(404);
    expect((await service.call('PATCH', `/chat/conversations/${_id}`, { body: {} })).status).toBe(401);
  });

  it.each([{}, { title: '' }, { title: '  ' }, { title: 7 }])('rejects %j', async (body) => {
    const { _id } = await createGroup(service, [people.member]);
    const response = await call('member', 'PATCH', `/chat/conversations/${_id}`, body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ message: ['Conversation name cannot be empty'] });
  });

  it('rejects a name for a direct conversation, and hides those of others from administrators', async () => {
    const { _id } = await createDirect(service, people.member, people.ben);
    expect((await rename('member', _id, 'Us')).status).toBe(409);
    expect((await rename('admin', _id, 'Them')).status).toBe(404);
  });
});

describe('DELETE /chat/conversations/:id', () => {
  const remove = (as: keyof People, id: string) => call(as, 'DELETE', `/chat/conversations/${id}`);

  it('lets an administrator delete a group with all messages, and publishes the deletion', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id);
    expect((await remove('admin', _id)).status).toBe(204);
    const event = await service.waitForEvent(conversationDeleted, (data) => data.conversationId === _id);
    expect(event.data.participantIds).toEqual([people.member._id, people.ben._id]);
    expect((await call('member', 'GET', `/chat/conversations/${_id}`)).status).toBe(404);
    expect((await call('member', 'GET', `/chat/messages?conversation=${_id}`)).status).toBe(404);
    expect((await call('member', 'POST', '/chat/messages', { conversation: _id, content: 'late' })).status).toBe(404);
    expect((await remove('admin', _id)).status).toBe(404);
  });

  it('denies participants who are not administrators, and responds with 404 to everyone else', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const rejectedResponse = await remove('member', _id);
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: MANAGE_DENIED });
    expect((await remove('stranger', _id)).status).toBe(404);
    expect((await remove('admin', 'nonsense')).status).toBe(404);
    expect((await service.call('DELETE', `/chat/conversations/${_id}`)).status).toBe(401);
  });

  it('does not delete direct conversations', async () => {
    const ownConversation = await createDirect(service, people.admin, people.ben);
    const othersConversation = await createDirect(service, people.member, people.ben);
    expect((await remove('admin', ownConversation._id)).status).toBe(403);
    expect((await remove('admin', othersConversation._id)).status).toBe(404);
  });
});
