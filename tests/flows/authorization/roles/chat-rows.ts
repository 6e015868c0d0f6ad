import { waitFor } from '@atrium/test-kit/wait-for';
import { emojiForm, fileForm } from '../../../workspace/builders.ts';
import { type Client, expectStatus } from '../../../workspace/workspace.ts';
import { inAnHour, type RoleFixture, unique } from './role-fixture.ts';
import { adminOnly, type Row, row, signedInUsers, when } from './row.ts';

const newGroup = async ({ make }: RoleFixture) => ({ params: { id: await make.group() } });
const newPublicChannel = async ({ make }: RoleFixture) => ({ params: { id: await make.publicChannel() } });
const newReaction = async ({ make }: RoleFixture) => ({ params: { id: await make.message(), emoji: '👍' } });
const newEmoji = async ({ make }: RoleFixture) => ({ params: { id: await make.emoji() } });
const newMessage = async ({ make }: RoleFixture) => ({ params: { id: await make.message() } });
const newParticipant = async (fixture: RoleFixture) => ({
  ...(await newGroup(fixture)),
  body: { userId: fixture.actors.stranger.id },
});
const existingParticipant = async (fixture: RoleFixture) => ({
  ...(await newGroup(fixture)),
  body: { userId: fixture.actors.member.id },
});
/** Adds a new department to a group, which chat learns of from the directory. */
async function existingMemberGroup(fixture: RoleFixture) {
  const { params } = await newGroup(fixture);
  const groupId = await fixture.make.department();
  const path = `/chat/conversations/${params.id}/groups`;
  const body = { type: 'department', id: groupId };
  await waitFor(async () => (await fixture.actors.manager.call('POST', path, body)).status === 200, {
    description: 'chat to know the department',
  });
  return { params: { ...params, type: 'department', groupId }, body: { required: true } };
}
const newMemberGroup = async (fixture: RoleFixture) => ({
  ...(await newGroup(fixture)),
  body: { type: 'department', id: (await existingMemberGroup(fixture)).params.groupId },
});
const newScheduled = async ({ make }: RoleFixture) => ({ params: { id: await make.scheduled() } });
/** Of a message that the manager has scheduled. */
const authorOnly = (status: number) => [404, status, 404, 404, 404, 401] as const;
const participantsOnly = (status: number) => [404, status, 404, status, 404, 401] as const;

const POLL = { question: 'When?', options: ['Today', 'Tomorrow'] };

async function sendAs(client: Client, body: object): Promise<string> {
  return (await expectStatus(client.call<{ _id: string }>('POST', '/chat/messages', body), 201))._id;
}

/** Of the manager. */
async function newPoll({ actors, make }: RoleFixture) {
  const body = { conversation: await make.group(), ...POLL };
  const { _id } = await expectStatus(actors.manager.call<{ _id: string }>('POST', '/chat/polls', body), 201);
  return { params: { id: _id } };
}

/** A channel of the manager and the member. Administrators can manage it by id, but cannot read it. */
export const CHAT_ROWS: readonly Row[] = [
  row('GET /chat/conversations', signedInUsers(200)),
  row('POST /chat/conversations', signedInUsers(201), () => ({
    body: { type: 'group', title: unique('new-'), participants: [] },
  })),
  row('GET /chat/channels', signedInUsers(200)),
  row('POST /chat/channels/:id/join', signedInUsers(200), newPublicChannel),
  when('of a private channel', row('POST /chat/channels/:id/join', participantsOnly(200), newGroup)),
  row('POST /chat/conversations/:id/archive', [200, 200, 404, 403, 404, 401], newGroup),
  row('POST /chat/conversations/:id/restore', [200, 200, 404, 403, 404, 401], newGroup),
  row('PATCH /chat/conversations/:id/preferences', participantsOnly(200), async (fixture) => ({
    ...(await newGroup(fixture)),
    body: { starred: true },
  })),
  row('GET /chat/conversations/:id', participantsOnly(200), newGroup),
  row('GET /chat/conversations/:id/unread-count', participantsOnly(200), newGroup),
  row('POST /chat/conversations/:id/read', participantsOnly(200), newGroup),
  row('POST /chat/conversations/:id/leave', participantsOnly(204), newGroup),
  row('GET /chat/unread', signedInUsers(200)),
  row('PATCH /chat/conversations/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newGroup(fixture)),
    body: { title: unique('renamed-') },
  })),
  row('DELETE /chat/conversations/:id', [204, 403, 404, 403, 404, 401], newGroup),
  row('GET /chat/conversations/:id/participants', participantsOnly(200), newGroup),
  row('GET /chat/conversations/:id/mention-groups', participantsOnly(200), newGroup),
  row('POST /chat/conversations/:id/groups', [200, 200, 404, 403, 404, 401], newMemberGroup),
  row('PATCH /chat/conversations/:id/groups/:type/:groupId', [200, 403, 404, 403, 404, 401], existingMemberGroup),
  row('DELETE /chat/conversations/:id/groups/:type/:groupId', [204, 204, 404, 403, 404, 401], existingMemberGroup),
  row('POST /chat/conversations/:id/participants', [200, 200, 404, 403, 404, 401], newParticipant),
  row('DELETE /chat/conversations/:id/participants', [204, 204, 404, 403, 404, 401], existingParticipant),
  row('DELETE /chat/conversations/:id/participants/:userId', [204, 204, 404, 403, 404, 401], async (fixture) => ({
    params: { ...(await newGroup(fixture)).params, userId: fixture.actors.member.id },
  })),
  row('GET /chat/messages', participantsOnly(200), async ({ make }) => ({
    query: { conversation: await make.group() },
  })),
  row('POST /chat/messages', participantsOnly(201), async ({ make }) => ({
    body: { conversation: await make.group(), content: 'Good morning' },
  })),
  when(
    'with a file',
    row('POST /chat/messages', participantsOnly(201), async ({ make }) => ({
      form: fileForm(unique('file-'), { conversation: await make.group() }),
    })),
  ),
  row('GET /chat/messages/:id', participantsOnly(200), newMessage),
  row('PATCH /chat/messages/:id', [403, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newMessage(fixture)),
    body: { content: 'Good evening' },
  })),
  row('DELETE /chat/messages/:id', [204, 204, 404, 403, 404, 401], newMessage),
  row('POST /chat/messages/:id/read', participantsOnly(200), newMessage),
  row('PUT /chat/messages/:id/reactions/:emoji', participantsOnly(200), newReaction),
  row('DELETE /chat/messages/:id/reactions/:emoji', participantsOnly(200), newReaction),
  row('GET /chat/messages/:id/thread', participantsOnly(200), newMessage),
  row('POST /chat/messages/:id/thread/read', participantsOnly(200), newMessage),
  row('PUT /chat/messages/:id/follow', participantsOnly(200), newMessage),
  row('DELETE /chat/messages/:id/follow', participantsOnly(200), newMessage),
  row('GET /chat/threads', signedInUsers(200)),
  row('POST /chat/conversations/:id/unread', participantsOnly(200), async ({ actors, make }) => {
    const id = await make.group();
    await actors.manager.call('POST', '/chat/messages', { conversation: id, content: 'Good morning' });
    return { params: { id }, body: { seq: 1 } };
  }),
  row('POST /chat/messages/:id/thread/unread', participantsOnly(200), async ({ actors, make }) => {
    const conversation = await make.group();
    const root = await sendAs(actors.manager, { conversation, content: 'Good morning' });
    await sendAs(actors.manager, { conversation, content: 'Good evening', thread: root });
    return { params: { id: root }, body: { seq: 1 } };
  }),
  row('POST /chat/messages/:id/forward', participantsOnly(201), async ({ actors, make }) => {
    const conversation = await make.group();
    const id = await sendAs(actors.manager, { conversation, content: 'Good morning' });
    return { params: { id }, body: { conversation } };
  }),
  row('POST /chat/polls', participantsOnly(201), async ({ make }) => ({
    body: { conversation: await make.group(), ...POLL },
  })),
  row('PUT /chat/messages/:id/poll/votes', participantsOnly(200), async (fixture) => ({
    ...(await newPoll(fixture)),
    body: { options: ['1'] },
  })),
  row('POST /chat/messages/:id/poll/close', [404, 200, 404, 403, 404, 401], newPoll),
  row('PUT /chat/messages/:id/pin', participantsOnly(200), newMessage),
  row('DELETE /chat/messages/:id/pin', participantsOnly(200), newMessage),
  row('GET /chat/conversations/:id/pins', participantsOnly(200), newGroup),
  row('PUT /chat/messages/:id/saved', participantsOnly(200), newMessage),
  row('DELETE /chat/messages/:id/saved', participantsOnly(200), newMessage),
  row('GET /chat/saved', signedInUsers(200)),
  row('GET /chat/search', signedInUsers(200), () => ({ query: { q: 'morning' } })),
  row('PUT /chat/messages/:id/reminder', participantsOnly(200), async (fixture) => ({
    ...(await newMessage(fixture)),
    body: { at: inAnHour() },
  })),
  row('DELETE /chat/messages/:id/reminder', participantsOnly(200), newMessage),
  row('GET /chat/drafts', signedInUsers(200)),
  row('PUT /chat/drafts', participantsOnly(200), async ({ make }) => ({
    body: { conversation: await make.group(), content: 'Good morning' },
  })),
  row('GET /chat/scheduled', signedInUsers(200)),
  row('POST /chat/messages', participantsOnly(202), async ({ make }) => ({
    body: { conversation: await make.group(), content: 'Good morning', sendAt: inAnHour() },
  })),
  row('PATCH /chat/scheduled/:id', authorOnly(200), async (fixture) => ({
    ...(await newScheduled(fixture)),
    body: { content: 'Good evening' },
  })),
  row('DELETE /chat/scheduled/:id', authorOnly(204), newScheduled),
  row('POST /chat/scheduled/:id/send', authorOnly(200), newScheduled),
  row('GET /chat/emoji', signedInUsers(200)),
  row('GET /chat/emoji/:id', signedInUsers(200), newEmoji),
  row('POST /chat/emoji', adminOnly(201), () => ({ form: emojiForm(unique('emoji-').toLowerCase()) })),
  row('DELETE /chat/emoji/:id', adminOnly(204), newEmoji),
  row('GET /chat/attachments/limits', signedInUsers(200)),
  row('GET /chat/attachments/history', adminOnly(200)),
  row('GET /changes', signedInUsers(200)),
  row('GET /chat/attachments/:id', participantsOnly(200), async ({ make }) => ({
    params: { id: await make.attachment() },
  })),
  row('GET /chat/attachments/:id/preview', participantsOnly(200), async ({ make }) => ({
    params: { id: await make.attachment() },
  })),
  row('POST /chat/attachments/:id/save', participantsOnly(201), async ({ make }) => ({
    params: { id: await make.attachment() },
  })),
  row('GET /chat/conversations/:id/attachments', participantsOnly(200), newGroup),
  row('GET /chat/conversations/:id/links', participantsOnly(200), newGroup),
];
