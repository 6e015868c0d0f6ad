import { mentionsRemoved, messagesRead, recipientsFound } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import {
  listMentions,
  MENTION_EVERYONE,
  MENTION_HERE,
  mentionOf,
  mentionOfGroup,
} from '@atrium/proto-events/text/mentions';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  claimRecipients,
  findNotifiedMessage,
  selectOutsideThread,
} from '../src/model/messages/recipient-repository.ts';
import { findCandidates } from '../src/recipients/find-candidates.ts';
import { createDirect, createGroup, type People, request, send, startChat } from './factories.ts';
import { createDepartment, expectParticipants } from './member-groups.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type User = Pick<People[keyof People], '_id' | 'role'>;

const startGroup = async (...others: User[]) =>
  (await createGroup(service, [people.member, people.ben, people.cleo, ...others], 'design'))._id;
const reply = (as: User, root: Message, content: string, extra: object = {}) =>
  request<Message>(service, as, [
    'POST',
    '/chat/messages',
    { conversation: root.conversation, thread: root._id, content, ...extra },
  ]);
const prefer = (as: User, conversation: string, notify: string) =>
  request(service, as, ['PATCH', `/chat/conversations/${conversation}/preferences`, { notify }]);
const read = (as: User, conversation: string, seq?: number) =>
  request(service, as, ['POST', `/chat/conversations/${conversation}/read`, { seq }]);

const waitForRecipient = async ({ _id }: Message, user: User) => {
  const isOne = ({ userId }: { userId: string }) => userId === user._id;
  const event = await service.waitForEvent(
    recipientsFound,
    ({ messageId, recipients }) => messageId === _id && recipients.some(isOne),
  );
  const { recipients, ...data } = event.data;
  return { ...data, actorId: event.actorId, recipient: recipients.find(isOne) };
};
const concernOf = async (message: Message, user: User) => {
  const { recipient } = await waitForRecipient(message, user);
  return [recipient?.kind, recipient?.reason];
};
const countOf = ({ _id }: Message, user: User) =>
  service.countPublished(
    recipientsFound,
    ({ messageId, recipients }) => messageId === _id && recipients.some(({ userId }) => userId === user._id),
  );

const SUBSCRIBED = {
  notices: { channels: { channel_message: { app: true, push: false, email: 'off' as const } } },
};

let db: Db;
beforeAll(() => {
  db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
});
afterAll(() => db.pool.end());

async function findMessage(streamId: string, seq: number) {
  const message = await findNotifiedMessage(db, streamId, seq);
  if (!message) throw new Error('No message');
  return message;
}

const isNotified = (message: Message, user: User) => countOf(message, user) > 0;

describe('the recipients of a message', () => {
  it('are the other user of a direct conversation', async () => {
    const { _id: conversation } = await createDirect(service, people.member, people.ben);
    const message = await send(service, people.member, conversation, 'Do you have a minute?');
    expect(await waitForRecipient(message, people.ben)).toEqual({
      conversationId: conversation,
      title: null,
      messageId: message._id,
      seq: message.seq,
      cause: expect.any(String),
      sentAt: expect.any(String),
      actorId: people.member._id,
      recipient: { userId: people.ben._id, kind: 'direct_message', reason: 'conversation', level: 'all' },
    });
    expect(isNotified(message, people.member)).toBe(false);
  });

  it('are in a group only those who are mentioned, each for the most specific reason', async () => {
    const department = createDepartment(service, 'Sales', [{}]);
    const [colleague] = department.users;
    if (!colleague) throw new Error('No user');
    const conversation = await startGroup(colleague);
    await expectParticipants(service, conversation, [people.member, people.ben, people.cleo, colleague]);
    const plain = await send(service, people.member, conversation, 'Hello');
    const group = mentionOfGroup({ type: 'department', id: department._id });
    const first = await send(service, people.member, conversation, `${group} ${mentionOf(people.ben._id)} lunch`);
    expect(await concernOf(first, people.ben)).toEqual(['mention', 'mentioned']);
    expect(await concernOf(first, colleague)).toEqual(['mention', 'group_mentioned']);
    const second = await send(service, people.ben, conversation, `${MENTION_EVERYONE} ${group}`);
    expect(await concernOf(second, people.cleo)).toEqual(['mention', 'everyone_mentioned']);
    expect(await concernOf(second, colleague)).toEqual(['mention', 'group_mentioned']);
    expect([isNotified(plain, people.ben), isNotified(first, people.cleo), isNotified(second, people.ben)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('of a mention of those who are here are online', async () => {
    const conversation = await startGroup();
    await connectChat(service, people.cleo);
    const message = await send(service, people.member, conversation, `${MENTION_HERE} coffee?`);
    expect(await concernOf(message, people.cleo)).toEqual(['mention', 'everyone_mentioned']);
    expect(isNotified(message, people.ben)).toBe(false);
  });

  it('include those who chose to be notified of channel messages, unless they want only mentions there', async () => {
    const [eager, selective] = [0, 1].map(() => buildUser({ preferences: SUBSCRIBED }));
    if (!eager || !selective) throw new Error('No users');
    service.addToDirectory(eager, selective);
    const conversation = await startGroup(eager, selective);
    await prefer(selective, conversation, 'mentions');
    const message = await send(service, people.member, conversation, 'Hello');
    expect(await concernOf(message, eager)).toEqual(['channel_message', 'conversation']);
    const mention = await send(service, people.member, conversation, mentionOf(selective._id));
    expect((await waitForRecipient(mention, selective)).recipient).toMatchObject({
      kind: 'mention',
      level: 'mentions',
    });
    expect(isNotified(message, selective)).toBe(false);
  });

  it('of a channel message are sought only among those in the conversation who want all of its messages', async () => {
    const [eager, selective, outsider] = [0, 1, 2].map(() => buildUser({ preferences: SUBSCRIBED }));
    if (!eager || !selective || !outsider) throw new Error('No users');
    service.addToDirectory(eager, selective, outsider);
    const conversation = await startGroup(eager, selective);
    await prefer(selective, conversation, 'mentions');
    const { seq } = await send(service, people.member, conversation, 'Hello');
    const candidates = await findCandidates(
      {
        db,
        directory: { users: () => [eager, selective, outsider].values() },
        filterOnline: async () => [],
      },
      await findMessage(conversation, seq),
      { rootId: undefined, mentions: listMentions('Hello') },
    );
    expect([...candidates.keys()]).toEqual([eager._id]);
  });

  it('exclude everyone who is left when it is deleted', async () => {
    const root = await send(service, people.member, await startGroup(), MENTION_EVERYONE);
    const answer = await reply(people.member, root, MENTION_EVERYONE);
    const params = { userIds: [people.ben._id, people.cleo._id], isEdit: false };
    const [message, found] = [await findMessage(root.conversation, root.seq), await findMessage(root._id, answer.seq)];
    const claim = async () => [
      ...(await claimRecipients(db, message, { ...params, rootId: undefined })),
      ...(await selectOutsideThread(db, found, { ...params, rootId: root._id })),
    ];
    expect((await claim()).length).toBe(4);
    for (const { _id } of [answer, root]) await request(service, people.member, ['DELETE', `/chat/messages/${_id}`]);
    expect(await claim()).toEqual([]);
  });

  it('exclude those who muted the conversation, and those who are not in it', async () => {
    const conversation = await startGroup();
    await prefer(people.ben, conversation, 'none');
    const mentions = [people.ben, people.stranger, people.cleo].map(({ _id }) => mentionOf(_id)).join(' ');
    const message = await send(service, people.member, conversation, mentions);
    expect(await concernOf(message, people.cleo)).toEqual(['mention', 'mentioned']);
    expect([isNotified(message, people.ben), isNotified(message, people.stranger)]).toEqual([false, false]);
  });
});

describe('the recipients of a reply', () => {
  it('are those who follow the thread, and are not notified again of its copy in the conversation', async () => {
    const { _id: conversation } = await createDirect(service, people.member, people.cleo);
    const root = await send(service, people.cleo, conversation, 'Where?');
    const message = await reply(people.member, root, 'Here', { alsoInConversation: true });
    expect(await waitForRecipient(message, people.cleo)).toMatchObject({
      rootId: root._id,
      seq: 1,
      recipient: { kind: 'thread_reply', reason: 'followed_thread' },
    });
    const next = await send(service, people.member, conversation, 'Next');
    await waitForRecipient(next, people.cleo);
    const count = service.countPublished(recipientsFound, ({ messageId }) => messageId === message._id);
    expect(count).toBe(1);
  });

  it('are those who are mentioned in it', async () => {
    const root = await send(service, people.member, await startGroup(), 'Where?');
    const message = await reply(people.cleo, root, `${mentionOf(people.ben._id)} knows`);
    expect(await concernOf(message, people.ben)).toEqual(['mention', 'mentioned']);
    expect(await concernOf(message, people.member)).toEqual(['thread_reply', 'followed_thread']);
  });
});

describe('a mention of a group or of everyone in a reply', () => {
  it('notifies those who do not follow the thread, and only once if the conversation shows the reply', async () => {
    const department = createDepartment(service, 'Support', [{}]);
    const [colleague] = department.users;
    if (!colleague) throw new Error('No user');
    const conversation = await startGroup(colleague);
    await expectParticipants(service, conversation, [people.member, people.ben, people.cleo, colleague]);
    const root = await send(service, people.member, conversation, 'Where?');
    const group = mentionOfGroup({ type: 'department', id: department._id });
    const message = await reply(people.ben, root, `${MENTION_EVERYONE} ${group}`);
    expect(await concernOf(message, people.cleo)).toEqual(['mention', 'everyone_mentioned']);
    expect(await concernOf(message, colleague)).toEqual(['mention', 'group_mentioned']);
    expect(await waitForRecipient(message, people.member)).toMatchObject({ rootId: root._id });
    const shown = await reply(people.ben, root, MENTION_EVERYONE, { alsoInConversation: true });
    const { rootId } = await waitForRecipient(shown, people.cleo);
    await waitForRecipient(await reply(people.ben, root, 'Here'), people.member);
    expect([rootId, countOf(shown, people.cleo), countOf(shown, people.member)]).toEqual([undefined, 1, 1]);
  });
});

describe('an edit', () => {
  const edit = (as: User, { _id }: Message, content: string) =>
    request<Message>(service, as, ['PATCH', `/chat/messages/${_id}`, { content }]);
  const isRemoval =
    (message: Message, user: User) =>
    ({ messageId, userIds }: { messageId: string; userIds: string[] }) =>
      messageId === message._id && userIds.includes(user._id);
  const waitForRemoval = async (message: Message, user: User) =>
    (await service.waitForEvent(mentionsRemoved, isRemoval(message, user))).data;

  it('notifies mentioned users once, also if they have read the message', async () => {
    const conversation = await startGroup();
    const message = await send(service, people.member, conversation, mentionOf(people.ben._id));
    const { cause } = await waitForRecipient(message, people.ben);
    await read(people.cleo, conversation);
    const both = [people.ben, people.cleo].map(({ _id }) => mentionOf(_id)).join(' ');
    await edit(people.member, message, both);
    const notified = await waitForRecipient(message, people.cleo);
    expect(notified).toMatchObject({ cause, recipient: { kind: 'mention', reason: 'mentioned' } });
    await edit(people.member, message, `${both} ${MENTION_EVERYONE}`);
    await edit(people.member, message, mentionOf(people.cleo._id));
    await waitForRemoval(message, people.ben);
    expect([countOf(message, people.ben), countOf(message, people.cleo)]).toEqual([1, 1]);
    const last = await send(service, people.member, conversation, 'Next');
    await read(people.cleo, conversation);
    const event = await service.waitForEvent(
      messagesRead,
      ({ userId, conversationId }) => userId === people.cleo._id && conversationId === conversation,
    );
    expect(event.data.seq).toBe(last.seq);
  });

  it('withdraws the mentions that it removes, but not those of users who are still mentioned', async () => {
    const conversation = await startGroup();
    const message = await send(
      service,
      people.member,
      conversation,
      `${MENTION_EVERYONE} ${mentionOf(people.ben._id)}`,
    );
    await waitForRecipient(message, people.cleo);
    await edit(people.member, message, mentionOf(people.ben._id));
    const { userIds, ...removal } = await waitForRemoval(message, people.cleo);
    expect(removal).toEqual({ conversationId: conversation, messageId: message._id, seq: message.seq });
    await edit(people.member, message, 'Nobody');
    const last = await waitForRemoval(message, people.ben);
    expect([userIds.includes(people.ben._id), last.userIds]).toEqual([false, [people.ben._id]]);
    expect(service.countPublished(mentionsRemoved, isRemoval(message, people.ben))).toBe(1);
  });

  it('of a reply notifies those who do not follow the thread', async () => {
    const root = await send(service, people.member, await startGroup(), 'Where?');
    const message = await reply(people.member, root, 'Here');
    await edit(people.member, message, `${mentionOf(people.cleo._id)} knows`);
    expect(await waitForRecipient(message, people.cleo)).toMatchObject({
      rootId: root._id,
      recipient: { kind: 'mention', reason: 'mentioned' },
    });
    await edit(people.member, message, 'Nobody knows');
    expect(await waitForRemoval(message, people.cleo)).toMatchObject({ rootId: root._id });
  });
});

describe('the text of a message, if notifications show it', () => {
  it('is published when it is sent, but not when it is edited', async () => {
    const { service: chat, people: users } = await startChat({ NOTIFICATIONS_SHOW_TEXT: 'true' });
    const waitForText = async (messageId: string, user: User) => {
      const isOne = ({ userId }: { userId: string }) => userId === user._id;
      const { data } = await chat.waitForEvent(
        recipientsFound,
        ({ messageId: id, recipients }) => id === messageId && recipients.some(isOne),
      );
      return data.text;
    };
    try {
      const { _id: conversation } = await createGroup(chat, [users.member, users.ben, users.cleo], 'design');
      const { _id, content } = await send(chat, users.member, conversation, mentionOf(users.ben._id));
      expect(await waitForText(_id, users.ben)).toBe(content);
      const edited = `${content} ${mentionOf(users.cleo._id)}`;
      await request(chat, users.member, ['PATCH', `/chat/messages/${_id}`, { content: edited }]);
      expect(await waitForText(_id, users.cleo)).toBeUndefined();
    } finally {
      await chat.close();
    }
  });
});

describe('the recipient of a reaction', () => {
  const react = (as: User, { _id }: Message, emoji: string) =>
    request(service, as, ['PUT', `/chat/messages/${_id}/reactions/${encodeURIComponent(emoji)}`]);

  it('is the author of the message, unless it is their own reaction or they muted the conversation', async () => {
    const conversation = await startGroup();
    const message = await send(service, people.member, conversation, 'Done');
    const muted = await send(service, people.cleo, conversation, 'Done, too');
    await prefer(people.cleo, conversation, 'none');
    await react(people.member, message, '🎉');
    await react(people.ben, muted, '🎉');
    await react(people.ben, message, '👍');
    expect(await waitForRecipient(message, people.member)).toMatchObject({
      actorId: people.ben._id,
      recipient: { kind: 'reaction', reason: 'own_message' },
    });
    const count = ({ _id }: Message) => service.countPublished(recipientsFound, ({ messageId }) => messageId === _id);
    expect([count(message), count(muted)]).toEqual([1, 0]);
  });
});

describe('reading', () => {
  const countReads = (user: User, conversation: string) =>
    service.countPublished(
      messagesRead,
      ({ userId, conversationId }) => userId === user._id && conversationId === conversation,
    );

  it('is published only if the user was notified of what they read', async () => {
    const conversation = await startGroup();
    await send(service, people.member, conversation, 'Hello');
    await read(people.ben, conversation);
    await read(people.cleo, conversation);
    const message = await send(service, people.member, conversation, mentionOf(people.cleo._id));
    await waitForRecipient(message, people.cleo);
    await read(people.ben, conversation);
    await read(people.cleo, conversation);
    const event = await service.waitForEvent(messagesRead, ({ conversationId }) => conversationId === conversation);
    expect(event.data).toEqual({ userId: people.cleo._id, conversationId: conversation, seq: 2 });
    expect([countReads(people.ben, conversation), countReads(people.cleo, conversation)]).toEqual([0, 1]);
  });

  it('of a thread is published with its root', async () => {
    const root = await send(service, people.member, await startGroup(), 'Where?');
    const message = await reply(people.ben, root, 'Here');
    await waitForRecipient(message, people.member);
    await request(service, people.member, ['POST', `/chat/messages/${root._id}/thread/read`, {}]);
    const event = await service.waitForEvent(messagesRead, ({ rootId }) => rootId === root._id);
    expect(event.data).toMatchObject({ userId: people.member._id, conversationId: root.conversation, seq: 1 });
  });
});

describe('a channel of thousands', () => {
  it('publishes nothing for a message without mentions, and batches for a mention of everyone', async () => {
    const users = Array.from({ length: 2_000 }, () => buildUser());
    const conversation = await startGroup();
    await service.query(
      'insert into participants (conversation_id, user_id, last_read_seq) select $1, unnest($2::text[]), 0',
      [conversation, users.map(({ _id }) => _id)],
    );
    const plain = await send(service, people.member, conversation, `Hello ${newId()}`);
    const message = await send(service, people.member, conversation, `${MENTION_EVERYONE} Welcome`);
    const notifiedIds = new Set<string>();
    const countOf = ({ _id }: Message) =>
      service.countPublished(recipientsFound, ({ messageId, recipients }) => {
        if (messageId === message._id) for (const { userId } of recipients) notifiedIds.add(userId);
        return messageId === _id;
      });
    await waitFor(() => countOf(message) === 16, { description: 'a batch of each partition' });
    expect(notifiedIds).toEqual(new Set([...users, people.ben, people.cleo].map(({ _id }) => _id)));
    expect(countOf(plain)).toBe(0);
  });
});
