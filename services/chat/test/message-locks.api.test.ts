import type { Message } from '@atrium/proto-events/http/chat/messages';
import { expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';

const ROUNDS = 12;

async function startThread() {
  const { member, ben, cleo } = people;
  const { _id: conversation } = await createGroup(service, [member, ben, cleo]);
  const poll = { conversation, question: 'Where?', options: ['Lisbon', 'Porto'] };
  const root = await request<Message>(service, member, ['POST', '/chat/polls', poll]);
  const text = await send(service, member, conversation, 'Hello');
  const replies = await Promise.all(
    Array.from({ length: ROUNDS }, (_, index) =>
      request<Message>(service, ben, [
        'POST',
        '/chat/messages',
        { conversation, thread: index % 2 ? root._id : text._id, content: `Reply ${index}` },
      ]),
    ),
  );
  return { conversation, root, text, replies };
}

it('changes of messages and of their replies at the same time all succeed', async () => {
  const { member, ben, cleo } = people;
  const { conversation, root, text, replies } = await startThread();
  const reply = (thread: string, as = ben) =>
    service.call('POST', '/chat/messages', { as, body: { conversation, thread, content: 'Another reply' } });
  const change = (as: People['ben'], method: string, { _id }: Message, path = '', body?: unknown) =>
    service.call(method, `/chat/messages/${_id}${path}`, { as, ...(body !== undefined && { body }) });
  const responses = await Promise.all(
    replies.flatMap((deleted, index) => [
      reply(root._id),
      reply(text._id, cleo),
      change(ben, 'PUT', root, '/poll/votes', { options: [String((index % 2) + 1)] }),
      change(cleo, index % 2 ? 'PUT' : 'DELETE', root, '/reactions/👍'),
      change(cleo, index % 2 ? 'PUT' : 'DELETE', root, '/pin'),
      change(member, 'PATCH', text, '', { content: `Hello ${index}` }),
      change(ben, 'DELETE', deleted),
    ]),
  );
  const failed = responses.filter(({ status }) => status >= 300);
  expect(failed.map(({ status, body }) => ({ status, body }))).toEqual([]);
}, 30_000);
