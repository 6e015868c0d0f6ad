import { waitFor } from '@atrium/test-kit/wait-for';
import { emojiForm, fileForm, uploadForm } from '../../../workspace/builders.ts';
import { type Client, expectStatus } from '../../../workspace/workspace.ts';
import { inAnHour, meetingBody, type RoleFixture, unique } from './role-fixture.ts';
import { adminOnly, allCallers, type Row, row, signedInUsers, when } from './row.ts';

const newMeeting = async ({ make }: RoleFixture) => ({ params: { id: await make.meeting() } });
const newDocument = async ({ make }: RoleFixture) => ({ params: { id: await make.document() } });
const newGroup = async ({ make }: RoleFixture) => ({ params: { id: await make.group() } });
const newPublicChannel = async ({ make }: RoleFixture) => ({ params: { id: await make.publicChannel() } });
const newReaction = async ({ make }: RoleFixture) => ({ params: { id: await make.message(), emoji: '👍' } });
const newEmoji = async ({ make }: RoleFixture) => ({ params: { id: await make.emoji() } });
const newMessage = async ({ make }: RoleFixture) => ({ params: { id: await make.message() } });

/** The manager's meetings with the member. Of the other users, only administrators can see them. */
const MEETINGS: readonly Row[] = [
  row('GET /meetings', signedInUsers(200)),
  row('GET /meetings/upcoming', signedInUsers(200)),
  row('GET /meetings/project/:id', signedInUsers(200), ({ project }) => ({ params: { id: project } })),
  row('GET /meetings/calendar', signedInUsers(200), () => ({
    query: { from: '2030-01-01T00:00:00Z', to: '2030-02-01T00:00:00Z' },
  })),
  row('GET /meetings/stats', signedInUsers(200)),
  row('POST /meetings/busy', signedInUsers(200), ({ actors }) => ({
    body: { people: [actors.manager.id], from: '2030-01-07T00:00:00Z', to: '2030-01-08T00:00:00Z' },
  })),
  row('POST /meetings/free-times', signedInUsers(200), ({ actors }) => ({
    body: { people: [actors.manager.id], from: '2030-01-07T00:00:00Z', durationMinutes: 60 },
  })),
  row('GET /meetings/rooms', signedInUsers(200)),
  row('POST /meetings/rooms', adminOnly(201), () => ({ body: { name: unique('Room '), size: 8 } })),
  row('PATCH /meetings/rooms/:id', adminOnly(200), async (fixture) => ({
    params: { id: await fixture.make.room() },
    body: { size: 12 },
  })),
  row('DELETE /meetings/rooms/:id', adminOnly(204), async (fixture) => ({ params: { id: await fixture.make.room() } })),
  row('GET /meetings/:id', [200, 200, 404, 200, 404, 401], newMeeting),
  row('GET /meetings/:id/calendar.ics', [200, 200, 404, 200, 404, 401], newMeeting),
  row('GET /meetings/feed', signedInUsers(200)),
  row('POST /meetings/feed', signedInUsers(201)),
  row('DELETE /meetings/feed', signedInUsers(204)),
  // The token in the URL is the only credential.
  row('GET /meetings/feed/:token.ics', allCallers(200), async ({ actors }) => ({
    params: {
      token: (await expectStatus(actors.manager.call<{ token: string }>('POST', '/meetings/feed'), 201)).token,
    },
  })),
  row('POST /meetings', [201, 201, 201, 403, 403, 401], ({ actors }) => ({ body: meetingBody(actors) })),
  row('PATCH /meetings/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newMeeting(fixture)),
    body: { title: unique('Meeting ') },
  })),
  when(
    'changing the notes',
    row('PATCH /meetings/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
      ...(await newMeeting(fixture)),
      body: { notes: 'We agreed.' },
    })),
  ),
  row('DELETE /meetings/:id', [204, 204, 404, 403, 404, 401], newMeeting),
  row('PUT /meetings/:id/notes', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newMeeting(fixture)),
    body: { base: '', text: 'We agreed.' },
  })),
  row('GET /meetings/:id/closing', [200, 200, 404, 200, 404, 401], newMeeting),
  row('GET /meetings/decisions', signedInUsers(200)),
  row('POST /meetings/:id/close', [201, 201, 404, 403, 404, 401], async ({ make }) => ({
    params: { id: await make.startedMeeting() },
    body: { summary: 'We agreed.', decisions: [{ text: unique('Decision ') }] },
  })),
  // The manager closed the meeting.
  row('DELETE /meetings/:id/close', [204, 204, 404, 403, 404, 401], async ({ make }) => ({
    params: { id: (await make.decision()).id },
  })),
  row('PATCH /meetings/:id/decisions/:decisionId', [200, 200, 404, 403, 404, 401], async ({ make }) => ({
    params: await make.decision(),
    body: { done: true },
  })),
  // The organizer has already accepted, and an administrator without an invitation cannot respond.
  row('POST /meetings/:id/respond', [403, 409, 404, 200, 404, 401], async (fixture) => ({
    ...(await newMeeting(fixture)),
    body: { status: 'accepted' },
  })),
];

/** Makes a department and waits until the documents service knows it. Until then, sharing with it fails with 400. */
async function newKnownDepartment({ actors, make }: RoleFixture): Promise<string> {
  const id = await make.department();
  const document = await make.document();
  const share = () => actors.admin.call('POST', `/documents/${document}/share`, { departmentIds: [id] });
  await waitFor(async () => (await share()).status === 200, {
    description: 'the documents service to know the department',
  });
  return id;
}

const newShare = async (fixture: RoleFixture) => ({
  ...(await newDocument(fixture)),
  body: { userIds: [fixture.actors.otherManager.id] },
});

const firstVersion = async ({ make }: RoleFixture) => ({ params: { id: await make.document(), number: '1' } });

const newUpload = async ({ make }: RoleFixture) => ({ params: { id: await make.upload() } });
/** An upload is visible only to its owner. */
const managerOnly = (status: number) => [404, status, 404, 404, 404, 401] as const;

const trashedDocument = async ({ actors, make }: RoleFixture) => {
  const id = await make.document();
  await expectStatus(actors.manager.call('DELETE', `/documents/${id}`), 204);
  return { params: { id } };
};

/** The manager's documents, which the members of the project can see. */
const DOCUMENTS: readonly Row[] = [
  row('GET /documents', signedInUsers(200)),
  row('GET /documents/stats', signedInUsers(200)),
  row('GET /documents/limits', signedInUsers(200)),
  row('GET /documents/recent', signedInUsers(200)),
  row('GET /documents/project/:id', signedInUsers(200), ({ project }) => ({ params: { id: project } })),
  row('GET /documents/:id', [200, 200, 404, 200, 404, 401], newDocument),
  when(
    'public',
    row('GET /documents/:id', signedInUsers(200), async ({ actors, make }) => ({
      params: { id: await make.document(actors.manager, 'public') },
    })),
  ),
  when(
    'private',
    row('GET /documents/:id', [200, 200, 404, 404, 404, 401], async ({ actors, make }) => ({
      params: { id: await make.document(actors.manager, 'private') },
    })),
  ),
  row('GET /documents/:id/preview', [200, 200, 404, 200, 404, 401], newDocument),
  row('POST /documents/upload', signedInUsers(201), () => ({ form: uploadForm(unique('Mine ')) })),
  row('POST /documents/uploads', signedInUsers(201), () => ({ body: { fileName: unique('file-'), size: 4 } })),
  when(
    'uploading a new version',
    row('POST /documents/uploads', [201, 201, 404, 403, 404, 401], async ({ make }) => ({
      body: { fileName: unique('file-'), size: 4, document: await make.document() },
    })),
  ),
  row('GET /documents/uploads', signedInUsers(200)),
  row('GET /documents/uploads/:id', managerOnly(200), newUpload),
  row('PUT /documents/uploads/:id/parts/:number', managerOnly(204), async ({ make }) => ({
    params: { id: await make.upload(), number: '1' },
    bytes: 'four',
  })),
  row('POST /documents/uploads/:id/complete', managerOnly(201), async ({ make }) => ({
    params: { id: await make.upload(true) },
  })),
  row('DELETE /documents/uploads/:id', managerOnly(204), newUpload),
  row('PATCH /documents/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newDocument(fixture)),
    body: { description: 'Read this first' },
  })),
  row('DELETE /documents/:id', [204, 204, 404, 403, 404, 401], newDocument),
  when(
    'uploaded by the member',
    row('DELETE /documents/:id', [204, 403, 404, 204, 404, 401], async ({ actors, make }) => ({
      params: { id: await make.document(actors.member) },
    })),
  ),
  row('POST /documents/:id/share', [200, 200, 404, 200, 404, 401], newShare),
  row('DELETE /documents/:id/share', [204, 204, 404, 403, 404, 401], newShare),
  when(
    'with a department',
    row('POST /documents/:id/share', [200, 200, 404, 200, 404, 401], async (fixture) => ({
      ...(await newDocument(fixture)),
      body: { departmentIds: [await newKnownDepartment(fixture)] },
    })),
  ),
  when(
    'with the members of a project',
    row('POST /documents/:id/share', [200, 200, 404, 200, 404, 401], async (fixture) => ({
      ...(await newDocument(fixture)),
      body: { projectIds: [fixture.project] },
    })),
  ),
  row('GET /documents/:id/shares', [200, 200, 404, 200, 404, 401], newDocument),
  row('GET /documents/:id/access', [200, 200, 404, 200, 404, 401], newDocument),
  when(
    'checking the access of another user',
    row('GET /documents/:id/access', [200, 200, 404, 403, 404, 401], async (fixture) => ({
      ...(await newDocument(fixture)),
      query: { user: fixture.actors.otherManager.id },
    })),
  ),
  row('POST /documents/:id/access', [200, 200, 404, 200, 404, 401], newShare),
  row('GET /documents/:id/downloads', [200, 200, 404, 403, 404, 401], newDocument),
  row('GET /documents/trash', signedInUsers(200)),
  row('POST /documents/trash/:id/restore', [200, 200, 404, 404, 404, 401], trashedDocument),
  row('DELETE /documents/trash/:id', [204, 204, 404, 404, 404, 401], trashedDocument),
  row('POST /documents/:id/versions', [201, 201, 404, 403, 404, 401], async (fixture) => ({
    ...(await newDocument(fixture)),
    form: uploadForm(unique('Version ')),
  })),
  row('GET /documents/:id/versions', [200, 200, 404, 200, 404, 401], newDocument),
  row('GET /documents/:id/versions/:number', [200, 200, 404, 200, 404, 401], firstVersion),
  row('POST /documents/:id/versions/:number/restore', [200, 200, 404, 403, 404, 401], firstVersion),
];

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
const CHAT: readonly Row[] = [
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
  row('GET /chat/conversations/:id/participants', [200, 200, 404, 200, 404, 401], newGroup),
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

export const WORKFLOW_ROWS: readonly Row[] = [...MEETINGS, ...DOCUMENTS, ...CHAT];
