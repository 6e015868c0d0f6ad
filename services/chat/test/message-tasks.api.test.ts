import { messageChanged } from '@atrium/proto-events/events/chat';
import { taskCreated, taskDeleted } from '@atrium/proto-events/events/projects';
import { MAX_MESSAGE_TASKS, type Message } from '@atrium/proto-events/http/chat/messages';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';
import { buildTaskEvent } from './task-events.ts';

type As = keyof People;
const read = (as: As, { _id }: Pick<Message, '_id'>) =>
  request<Message>(service, people[as], ['GET', `/chat/messages/${_id}`]);

async function startConversation() {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
  return { conversation, message: await send(service, people.ben, conversation, 'Fix the login') };
}

type TaskOf = { message: Pick<Message, '_id'> | null; by?: As };

function buildTask({ message, by = 'member' }: TaskOf, taskId = newId()) {
  const { event } = buildTaskEvent(newId(), { createdBy: people[by] }, taskId);
  const origin = message && { message: message._id };
  return { ...event, task: event.task && { ...event.task, origin } };
}

const create = (task: ReturnType<typeof buildTask>, as: As, times = 1) =>
  service.deliver(taskCreated, task, times, people[as]._id);

describe('a task that was created from a message', () => {
  it('is shown on the message to everyone in the conversation, as one revision', async () => {
    const { conversation, message } = await startConversation();
    expect(message.tasks).toEqual([]);
    const socket = await connectChat(service, people.ben);
    const task = buildTask({ message });
    await create(task, 'member', 2);
    expect(await socket.receives('message:updated')).toMatchObject({
      revision: 1,
      message: { _id: message._id, tasks: [task.taskId], editedAt: null },
    });
    expect(await read('ben', message)).toMatchObject({ tasks: [task.taskId] });
    const changes = `/chat/messages?conversation=${conversation}&changedAfter=0`;
    expect(await request(service, people.ben, ['GET', changes])).toMatchObject({
      revision: 1,
      data: [{ _id: message._id, tasks: [task.taskId] }],
    });
    expect((await service.waitForEvent(messageChanged, (data) => data.messageId === message._id)).data).toMatchObject({
      conversationId: conversation,
      action: 'edited',
      change: 'tasks',
      revision: 1,
    });
  });

  it('leaves the message when it is deleted by any user', async () => {
    const { message } = await startConversation();
    const [first, second] = [buildTask({ message }), buildTask({ message })];
    await create(first, 'member');
    await create(second, 'ben');
    await service.deliver(taskDeleted, first, 2, people.stranger._id);
    expect((await read('ben', message)).tasks).toEqual([second.taskId]);
  });

  it('is shown on a reply and on its copy in the conversation', async () => {
    const { conversation, message } = await startConversation();
    const body = { conversation, thread: message._id, content: 'And the logout', alsoInConversation: true };
    const reply = await request<Message>(service, people.ben, ['POST', '/chat/messages', body]);
    const task = buildTask({ message: reply });
    await create(task, 'member');
    for (const path of [`/chat/messages/${message._id}/thread`, `/chat/messages?conversation=${conversation}`]) {
      const { data } = await request<{ data: Message[] }>(service, people.ben, ['GET', path]);
      expect(data.find(({ _id }) => _id === reply._id)?.tasks).toEqual([task.taskId]);
    }
  });

  it('is not shown if its creator cannot read the message, even as an administrator', async () => {
    const { message } = await startConversation();
    for (const as of ['stranger', 'admin'] as const) await create(buildTask({ message, by: as }), as);
    expect((await read('ben', message)).tasks).toEqual([]);
    expect(service.countPublished(messageChanged, (data) => data.messageId === message._id)).toBe(0);
  });

  it('changes nothing without a message, for an unknown one, and for a deleted one', async () => {
    const { message } = await startConversation();
    await create(buildTask({ message: null }), 'member');
    await create(buildTask({ message: { _id: newId() } }), 'member');
    await create(buildTask({ message }), 'member');
    expect((await call('ben', 'DELETE', `/chat/messages/${message._id}`)).status).toBe(204);
    await create(buildTask({ message }), 'member');
    expect(await read('ben', message)).toMatchObject({ deleted: true, tasks: [] });
  });

  it(`is one of at most ${MAX_MESSAGE_TASKS}`, async () => {
    const { message } = await startConversation();
    const ids = Array.from({ length: MAX_MESSAGE_TASKS }, () => newId());
    await service.query('update messages set tasks = $2 where message_id = $1', [message._id, ids]);
    await create(buildTask({ message }), 'member');
    expect((await read('ben', message)).tasks).toEqual(ids);
  });
});

describe('a single message', () => {
  it('is read by participants, whether it is a message or a reply', async () => {
    const { conversation, message } = await startConversation();
    const body = { conversation, thread: message._id, content: 'Done' };
    const reply = await request<Message>(service, people.member, ['POST', '/chat/messages', body]);
    expect(await read('member', message)).toMatchObject({ conversation, content: 'Fix the login', seq: message.seq });
    expect(await read('ben', reply)).toMatchObject({ conversation, content: 'Done', thread: { root: message._id } });
  });

  it('is not found by others, including administrators and former participants', async () => {
    const { conversation, message } = await startConversation();
    expect((await call('ben', 'POST', `/chat/conversations/${conversation}/leave`)).status).toBe(204);
    for (const as of ['ben', 'stranger', 'admin'] as const)
      expect((await call(as, 'GET', `/chat/messages/${message._id}`)).status).toBe(404);
    expect((await call('member', 'GET', `/chat/messages/${newId()}`)).status).toBe(404);
    expect((await call('member', 'GET', '/chat/messages/none')).status).toBe(404);
    expect((await service.call('GET', `/chat/messages/${message._id}`)).status).toBe(401);
  });
});
