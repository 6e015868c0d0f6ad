import { reminderDue } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { SavedMessage } from '@atrium/proto-events/http/chat/pins';
import { INVALID_DUE_TIME } from '@atrium/proto-events/http/chat/scheduled';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
const MINUTE_MS = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
const pathOf = (id: string) => `/chat/messages/${id}/reminder`;
const remind = (as: As, { _id }: Message, at = inMinutes(20)) =>
  request<Message>(service, people[as], ['PUT', pathOf(_id), { at }]);
const findSaved = async (as: As, { _id }: Message) =>
  (await request<{ data: SavedMessage[] }>(service, people[as], ['GET', '/chat/saved?limit=100'])).data.find(
    (saved) => saved._id === _id,
  );
const makeDue = ({ _id }: Message) =>
  service.query(`update saved_messages set remind_at = clock_timestamp() - interval '2 days' where message_id = $1`, [
    _id,
  ]);
const untilEnded = ({ _id }: Message) =>
  waitFor(
    async () =>
      (await service.query('select from saved_messages where message_id = $1 and remind_at is not null', [_id]))
        .length === 0,
    { description: 'the reminder to end' },
  );
const countDue = ({ _id }: Message) => service.countPublished(reminderDue, ({ messageId }) => messageId === _id);

async function startConversation() {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
  return { conversation, message: await send(service, people.ben, conversation) };
}

describe('a reminder', () => {
  it('saves the message, can be changed, and is removed without the message', async () => {
    const { conversation, message } = await startConversation();
    const socket = await connectChat(service, people.member);
    const at = inMinutes(20);
    expect(await remind('member', message, at)).toMatchObject({ _id: message._id, saved: true });
    expect(await socket.receives('message:saved')).toEqual({ conversation, message: message._id, saved: true });
    expect((await findSaved('member', message))?.remindAt).toBe(at);
    const later = inMinutes(60);
    await remind('member', message, later);
    expect((await findSaved('member', message))?.remindAt).toBe(later);
    for (const _ of [1, 2])
      expect((await call('member', 'DELETE', pathOf(message._id))).body).toMatchObject({ saved: true });
    expect((await findSaved('member', message))?.remindAt).toBeNull();
    expect(await findSaved('ben', message)).toBeUndefined();
  });

  it('of a message that is not saved cannot be removed, and changes nothing', async () => {
    const { message } = await startConversation();
    expect((await call('member', 'DELETE', pathOf(message._id))).body).toMatchObject({ saved: false });
    expect(await findSaved('member', message)).toBeUndefined();
  });

  it('is rejected for messages that the user cannot see or that are deleted, and for invalid times', async () => {
    const { message } = await startConversation();
    const body = { at: inMinutes(20) };
    for (const as of ['stranger', 'admin'] as const) {
      expect((await call(as, 'PUT', pathOf(message._id), body)).status).toBe(404);
      expect((await call(as, 'DELETE', pathOf(message._id))).status).toBe(404);
    }
    expect((await call('member', 'PUT', pathOf(newId()), body)).status).toBe(404);
    for (const at of [inMinutes(0.5), inMinutes(-5), inMinutes(367 * 24 * 60)]) {
      const rejected = await call('member', 'PUT', pathOf(message._id), { at });
      expect(rejected).toMatchObject({ status: 400, body: { message: [INVALID_DUE_TIME] } });
    }
    expect((await call('member', 'PUT', pathOf(message._id), {})).status).toBe(400);
    await request(service, people.ben, ['DELETE', `/chat/messages/${message._id}`]);
    expect((await call('member', 'PUT', pathOf(message._id), body)).status).toBe(409);
  });
});

describe('a reminder that is due', () => {
  it('is published once by several pods, without text, and the message stays saved', async () => {
    const pod = await startSecondPod(service, people);
    const { conversation, message } = await startConversation();
    const socket = await connectChat(pod, people.member);
    await remind('member', message);
    await makeDue(message);
    const { data } = await service.waitForEvent(reminderDue, ({ messageId }) => messageId === message._id);
    expect(data).toEqual({ userId: people.member._id, conversationId: conversation, messageId: message._id, seq: 1 });
    await waitFor(() => socket.all('message:saved').length === 2, { description: 'own devices to be notified' });
    await pod.close();
    expect(await findSaved('member', message)).toMatchObject({ remindAt: null });
    expect(countDue(message)).toBe(1);
  });

  it('leads to a reply in its thread', async () => {
    const { conversation, message } = await startConversation();
    const body = { conversation, thread: message._id, content: 'A reply', alsoInConversation: true };
    const reply = await request<Message>(service, people.ben, ['POST', '/chat/messages', body]);
    await remind('member', reply);
    await makeDue(reply);
    const { data } = await service.waitForEvent(reminderDue, ({ messageId }) => messageId === reply._id);
    expect(data).toMatchObject({ conversationId: conversation, rootId: message._id, seq: 1 });
    expect(countDue(reply)).toBe(1);
  });

  it('is not published for a deleted message, or for users who have left or are deactivated', async () => {
    const { conversation, message } = await startConversation();
    const deleted = await send(service, people.ben, conversation);
    const socket = await connectChat(service, people.member);
    const other = await createGroup(service, [people.member, people.cleo]);
    const ofInactive = await send(service, people.member, other._id);
    await remind('member', message);
    await remind('member', deleted);
    await remind('member', ofInactive);
    await service.query('update saved_messages set user_id = $2 where message_id = $1', [
      ofInactive._id,
      people.inactive._id,
    ]);
    await request(service, people.ben, ['DELETE', `/chat/messages/${deleted._id}`]);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/leave`]);
    for (const reminded of [message, deleted, ofInactive]) await makeDue(reminded);
    for (const reminded of [message, deleted, ofInactive]) await untilEnded(reminded);
    const last = await startConversation();
    await remind('member', last.message);
    await makeDue(last.message);
    await service.waitForEvent(reminderDue, ({ messageId }) => messageId === last.message._id);
    for (const reminded of [message, deleted, ofInactive]) expect(countDue(reminded)).toBe(0);
    // Only of the reminder when it was set.
    expect(socket.all('message:saved').filter((change) => change.message === message._id)).toHaveLength(1);
  });
});
