import { randomUUID } from 'node:crypto';
import type { Draft } from '@atrium/proto-events/http/chat/drafts';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ScheduledMessage } from '@atrium/proto-events/http/chat/scheduled';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createGroup, request, send } from './factories.ts';
import { startPodProcess, startSecondPod } from './pods.ts';
import { call, people, service } from './running-chat.ts';
import { bodyOf, find, inMinutes, makeDue, messagesIn, schedule, startConversation, untilFailed } from './scheduled.ts';
import { connectChat } from './sockets.ts';

describe('a message that is due', () => {
  it('is sent to everyone within seconds, also long after an outage, and only when its time has come', async () => {
    const conversation = await startConversation();
    const [own, other] = await Promise.all([connectChat(service, people.member), connectChat(service, people.ben)]);
    const [due, overdue, later] = [
      await schedule('member', conversation, { content: 'Due' }),
      await schedule('member', conversation, { content: 'Overdue' }),
      await schedule('member', conversation, { content: 'Later' }),
    ];
    await makeDue(overdue, '3 days');
    await other.receives('message:new', ({ message }) => message.content === 'Overdue');
    await makeDue(due);
    for (const { receives } of [own, other])
      await receives(
        'message:new',
        ({ message }) => message.content === 'Due' && message.sender._id === people.member._id,
      );
    await own.receives('scheduled:changed', ({ scheduled }) => scheduled === due._id);
    expect((await messagesIn(conversation)).map(({ content }) => content)).toEqual(['Overdue', 'Due']);
    expect(await find('member', due)).toBeUndefined();
    expect(await find('member', later)).toMatchObject({ failure: null });
  });

  it('keeps what its author is writing, and counts as read by them', async () => {
    const conversation = await startConversation();
    const scheduled = await schedule('member', conversation, { content: 'Good morning' });
    await request(service, people.member, ['PUT', '/chat/drafts', { conversation, content: 'Good' }]);
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 1, { description: 'the message to be sent' });
    const drafts = await request<{ data: Draft[] }>(service, people.member, ['GET', '/chat/drafts?limit=100']);
    expect(drafts.data.find(({ _id }) => _id === conversation)?.content).toBe('Good');
    const unread = await call('member', 'GET', `/chat/conversations/${conversation}/unread-count`);
    expect(unread.body).toMatchObject({ unreadCount: 0 });
  });

  it('is sent as a reply, also in the conversation', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.ben, conversation);
    const scheduled = await schedule('member', conversation, { thread: root._id, alsoInConversation: true });
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 2, { description: 'the copy to be sent' });
    const { data } = await request<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages/${root._id}/thread`,
    ]);
    expect(data).toMatchObject([{ content: 'Good morning', thread: { root: root._id } }]);
  });

  it('is sent once if it was sent with the same clientMessageId, and not lost if that was another text', async () => {
    const conversation = await startConversation();
    const [same, different] = [randomUUID(), randomUUID()];
    const scheduled = await schedule('member', conversation, { clientMessageId: same });
    const kept = await schedule('member', conversation, { clientMessageId: different });
    const post = (clientMessageId: string, content: string) =>
      request(service, people.member, ['POST', '/chat/messages', { conversation, content, clientMessageId }]);
    await post(same, 'Good morning');
    await post(different, 'Something else');
    await makeDue(scheduled);
    await makeDue(kept);
    expect(await untilFailed('member', kept)).toContain('another message');
    expect(await find('member', scheduled)).toBeUndefined();
    expect(await messagesIn(conversation)).toHaveLength(2);
  });

  it('ends with a failure if it cannot be stored, and is sent although reminders fail', async () => {
    const conversation = await startConversation();
    const reminded = await send(service, people.ben, conversation);
    await service.query(`
      create function fail_test() returns trigger language plpgsql as $$ begin raise exception 'Test failure'; end $$;
      create trigger fail_insert before insert on messages for each row when (new.content = 'Unstorable')
        execute function fail_test();
      create trigger fail_reminder before update on saved_messages for each row execute function fail_test();
    `);
    await service.query(
      `insert into saved_messages (user_id, message_id, conversation_id, remind_at) values ($1, $2, $3, now())`,
      [people.member._id, reminded._id, conversation],
    );
    const [unstorable, other] = [
      await schedule('member', conversation, { content: 'Unstorable' }),
      await schedule('member', conversation, { content: 'Storable' }),
    ];
    await makeDue(unstorable);
    await makeDue(other);
    expect(await untilFailed('member', unstorable)).toBe('The message could not be sent');
    expect((await messagesIn(conversation)).map(({ content }) => content)).toEqual(['Hello', 'Storable']);
    await service.query('drop function fail_test cascade');
  });

  it('stays with the reason if its author can no longer write there, and can be sent once they can', async () => {
    const conversation = await startConversation();
    const socket = await connectChat(service, people.ben);
    const scheduled = await schedule('ben', conversation);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/archive`]);
    await makeDue(scheduled);
    expect(await untilFailed('ben', scheduled)).toBe('This channel is archived');
    await socket.receives('scheduled:changed', (change) => change.scheduled === scheduled._id);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/restore`]);
    const path = `/chat/scheduled/${scheduled._id}`;
    expect(await request(service, people.ben, ['PATCH', path, { content: 'Edited' }])).toMatchObject({
      failure: 'This channel is archived',
    });
    expect(await request(service, people.ben, ['PATCH', path, { sendAt: inMinutes(60) }])).toMatchObject({
      failure: null,
    });
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 1, { description: 'the message to be sent' });
  });

  it('stays with the same reason after its author has left and after the conversation was deleted', async () => {
    const [left, deleted] = [await startConversation(), await startConversation()];
    const inLeft = await schedule('ben', left);
    const inDeleted = await schedule('ben', deleted);
    await request(service, people.ben, ['POST', `/chat/conversations/${left}/leave`]);
    await request(service, people.admin, ['DELETE', `/chat/conversations/${deleted}`]);
    await makeDue(inLeft);
    await makeDue(inDeleted);
    const reason = await untilFailed('ben', inLeft);
    expect(reason).toBe('The conversation was deleted, or you are no longer in it');
    expect(await untilFailed('ben', inDeleted)).toBe(reason);
    expect((await find('ben', inLeft))?.content).toBe('Good morning');
    expect((await call('ben', 'POST', `/chat/scheduled/${inLeft._id}/send`)).status).toBe(404);
    expect((await call('ben', 'PATCH', `/chat/scheduled/${inLeft._id}`, { sendAt: inMinutes(60) })).status).toBe(404);
    expect(await messagesIn(left)).toEqual([]);
  });

  it('stays while its author is deactivated', async () => {
    const user = buildUser({ firstName: 'Dee' });
    service.addToDirectory(user);
    const { _id: conversation } = await createGroup(service, [people.member, user]);
    const scheduled = await request<ScheduledMessage>(service, user, ['POST', '/chat/messages', bodyOf(conversation)]);
    service.addToDirectory({ ...user, status: 'inactive', version: user.version + 1 });
    await makeDue(scheduled);
    const failures = () =>
      service.query('select failure from scheduled_messages where scheduled_id = $1', [scheduled._id]);
    await waitFor(async () => (await failures())[0]?.failure !== null, { description: 'the failure to be recorded' });
    expect(await failures()).toEqual([{ failure: 'Your account was deactivated' }]);
    expect(await messagesIn(conversation)).toEqual([]);
  });

  it('is sent although many earlier ones cannot be read', async () => {
    const conversation = await startConversation();
    const unreadable = 'not a UUID';
    await service.query(
      `insert into scheduled_messages (scheduled_id, user_id, conversation_id, content, client_message_id, send_at)
       select md5(n::text), $1, $2, 'x', $3 || n, now() - interval '1 day' from generate_series(1, 120) n`,
      [people.cleo._id, conversation, unreadable],
    );
    await request(service, people.member, [
      'POST',
      `/chat/conversations/${conversation}/participants`,
      { userId: people.cleo._id },
    ]);
    const scheduled = await schedule('member', conversation);
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 1, { description: 'the message to be sent' });
    const { length } = await service.query('select from scheduled_messages where user_id = $1 and failure is null', [
      people.cleo._id,
    ]);
    expect(length).toBe(120);
    await service.query('delete from scheduled_messages where user_id = $1', [people.cleo._id]);
  });
});

describe('several pods', () => {
  it('send each message once, while one of them is killed', async () => {
    const conversation = await startConversation();
    const [second, killed] = await Promise.all([startSecondPod(service, people), startPodProcess(service, people)]);
    const contents = Array.from({ length: 200 }, (_, index) => `Message ${index}`);
    const other = await connectChat(second, people.ben);
    await service.query(
      `insert into scheduled_messages (scheduled_id, user_id, conversation_id, content, client_message_id, send_at)
       select substr(md5($2 || c), 1, 24), $1, $2, c, md5($2 || c), clock_timestamp() - interval '1 second'
       from unnest($3::text[]) c`,
      [people.member._id, conversation, contents],
    );
    await other.receives('message:new');
    await killed.end('SIGKILL');
    const remaining = () => service.query('select from scheduled_messages where conversation_id = $1', [conversation]);
    await waitFor(async () => (await remaining()).length === 0, { description: 'all messages to be sent' });
    const rows = await service.query('select content from messages where conversation_id = $1', [conversation]);
    expect(rows.map(({ content }) => content).sort()).toEqual(contents.sort());
    await second.close();
  });
});
