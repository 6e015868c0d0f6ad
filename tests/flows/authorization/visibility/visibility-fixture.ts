import type { conversationType } from '@atrium/proto-events/http/chat/conversations';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { z } from 'zod';
import { buildInvitation, buildProject, fileForm, tokenIn, uploadForm } from '../../../workspace/builders.ts';
import { type Client, PASSWORD, send, signIn, waitForConversation } from '../../../workspace/workspace.ts';
import { type Actors, callAs } from './actors.ts';
import type { IdSet } from './channels.ts';
import { getMark, type KindName } from './kinds.ts';

/** A created resource. */
export type FixtureResource = {
  kind: KindName;
  id: string;
  /** The set that the id belongs to. Undefined if no endpoint takes it. */
  idSet?: IdSet;
  /** The task of a comment, or the conversation of a message. */
  parentId?: string;
  /** Of a reply. */
  rootId?: string;
};

export type VisibilityFixture = {
  url: string;
  actors: Actors;
  resources: FixtureResource[];
  /** The versions of resources when users were removed. Later versions must not reach those users. */
  versionsAtRemoval: Map<string, number>;
  /** The id of the message with the `deleted attachment`. */
  deletedFileMessageId?: string;
};

type CreatedResource = { _id: string; version: number };
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const markFields = (mark: string, ...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, `${mark} ${field}`]));

export const idOf = ({ resources }: Pick<VisibilityFixture, 'resources'>, kind: KindName): string => {
  const resource = resources.find((candidate) => candidate.kind === kind);
  if (!resource) throw new Error(`No ${kind} in the fixture`);
  return resource.id;
};

/** Creates one resource of every kind, with its mark in every text field, while all users still have access. */
export async function createVisibilityFixture(url: string, actors: Actors): Promise<VisibilityFixture> {
  const fixture: VisibilityFixture = { url, actors, resources: [], versionsAtRemoval: new Map() };
  await makeUsers(fixture);
  await makeProject(fixture);
  await makeMeetings(fixture);
  await makeConversations(fixture);
  await makeDocuments(fixture);
  return fixture;
}

/** Adds a resource to the fixture and returns its id. */
export function recordItem(
  { resources }: VisibilityFixture,
  kind: KindName,
  id: string,
  idSet?: IdSet,
  parentId?: string,
): string {
  resources.push({ kind, id, ...(idSet && { idSet }), ...(parentId && { parentId }) });
  return id;
}

async function makeUsers(fixture: VisibilityFixture): Promise<void> {
  const { admin, stranger } = fixture.actors;
  const bio = markFields(getMark('user', 'a'), 'bio', 'location');
  recordItem(fixture, 'user', (await callAs(stranger, ['PATCH', '/users/profile', bio]))._id, 'users');
  const department = { name: getMark('department', 'a') };
  recordItem(fixture, 'department', (await callAs(admin, ['POST', '/departments', department]))._id, 'departments');
  const invitation = await callAs<CreatedResource & { inviteUrl: string }>(admin, [
    'POST',
    '/auth/invite',
    buildInvitation('invited'),
  ]);
  recordItem(fixture, 'invitation', invitation._id, 'invitations');
  recordItem(fixture, 'invitation link', tokenIn(invitation.inviteUrl));
  const path = `/users/${stranger.id}/reset-link`;
  recordItem(
    fixture,
    'password reset link',
    tokenIn((await callAs<{ resetUrl: string }>(admin, ['POST', path], 200)).resetUrl),
  );
  await addSession(fixture);
  await failSignIn(fixture, 'a');
}

/** Fails to sign in with an email address that the security log then contains. */
export async function failSignIn(fixture: VisibilityFixture, when: 'a' | 'b'): Promise<void> {
  const email = `${getMark('security log entry', when)}@example.org`;
  const body = JSON.stringify({ email, password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  await send(`${fixture.url}/api/auth/login`, { method: 'POST', headers, body });
  recordItem(fixture, 'security log entry', email);
}

/** Signs `member` in on another device, and records the new session. */
export async function addSession(fixture: VisibilityFixture): Promise<void> {
  const { member } = fixture.actors;
  await signIn(fixture.url, member.email, PASSWORD);
  const { data } = await callAs<{ data: CreatedResource[] }>(member, ['GET', '/auth/sessions?limit=100']);
  for (const { _id } of data)
    if (!fixture.resources.some(({ id }) => id === _id)) recordItem(fixture, 'session', _id, 'sessions');
}

async function makeProject(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, member, former, deactivated } = fixture.actors;
  const project = await callAs(admin, [
    'POST',
    '/projects',
    buildProject('', manager, {
      ...markFields(getMark('project', 'a'), 'name', 'description'),
      teamMembers: [member.id, former.id, deactivated.id],
    }),
  ]);
  recordItem(fixture, 'project', project._id, 'projects');
  const createTask = (kind: KindName) =>
    callAs(member, [
      'POST',
      '/tasks',
      { ...markFields(getMark(kind, 'a'), 'title', 'description'), project: project._id },
    ]);
  const task = await createTask('task');
  recordItem(fixture, 'task', task._id, 'tasks');
  const comment = { comment: getMark('comment', 'a') };
  recordItem(
    fixture,
    'comment',
    (await callAs(member, ['POST', `/tasks/${task._id}/comments`, comment]))._id,
    'comments',
    task._id,
  );
  const deletedTask = await createTask('deleted task');
  recordItem(fixture, 'deleted task', deletedTask._id, 'tasks');
}

const buildMeeting = (kind: KindName, fixture: VisibilityFixture, days: number) => ({
  ...markFields(getMark(kind, 'a'), 'title', 'description', 'location', 'agenda'),
  meetingLink: `https://meet.example.org/${getMark(kind, 'a')}`,
  type: 'standup',
  startTime: inDays(days),
  endTime: inDays(days + 0.02),
  project: idOf(fixture, 'project'),
  participants: [fixture.actors.member.id, fixture.actors.former.id, fixture.actors.deactivated.id],
});

async function makeMeetings(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, member, former, deactivated, guest } = fixture.actors;
  const room = { name: getMark('room', 'a'), size: 4 };
  recordItem(fixture, 'room', (await callAs(admin, ['POST', '/meetings/rooms', room]))._id, 'rooms');
  for (const kind of ['meeting', 'canceled meeting'] as const)
    recordItem(
      fixture,
      kind,
      (await callAs(manager, ['POST', '/meetings', buildMeeting(kind, fixture, 2)]))._id,
      'meetings',
    );
  // Guests of single occurrences can see the fields that they share with the series.
  const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: inDays(20).slice(0, 10) };
  await callAs(manager, ['POST', '/meetings', { ...buildMeeting('occurrence with a guest', fixture, 3), ...series }]);
  const { data } = await callAs<{ data: (CreatedResource & { seriesId: string | null })[] }>(manager, [
    'GET',
    '/meetings?limit=100',
  ]);
  const [occurrence, guestOccurrence] = data.filter(({ seriesId }) => seriesId !== null);
  if (!occurrence || !guestOccurrence) throw new Error('The series has no occurrences');
  recordItem(fixture, 'occurrence', occurrence._id, 'meetings');
  recordItem(fixture, 'occurrence with a guest', guestOccurrence._id, 'meetings');
  recordItem(fixture, 'occurrence with a guest', guestOccurrence.seriesId ?? '', 'series');
  const notes = markFields(getMark('occurrence', 'a'), 'notes', 'summary', 'agenda');
  await callAs(manager, ['PATCH', `/meetings/${occurrence._id}?scope=this`, notes]);
  const participants = [member.id, former.id, deactivated.id, guest.id];
  await callAs(manager, ['PATCH', `/meetings/${guestOccurrence._id}?scope=this`, { participants }]);
}

async function makeConversations(fixture: VisibilityFixture): Promise<void> {
  const { manager, member, former, deactivated, guest, partner } = fixture.actors;
  const group = {
    type: 'group',
    title: getMark('conversation group', 'a'),
    description: getMark('conversation group', 'a'),
    participants: [member.id, former.id, deactivated.id],
  };
  const created = await callAs(manager, ['POST', '/chat/conversations', group]);
  recordItem(fixture, 'conversation group', created._id, 'conversations');
  const mark = getMark('public channel', 'a');
  const open = { type: 'group', title: mark, purpose: mark, visibility: 'public', participants: [member.id] };
  recordItem(
    fixture,
    'public channel',
    (await callAs(manager, ['POST', '/chat/conversations', open]))._id,
    'conversations',
  );
  const direct = { type: 'direct', participants: [partner.id] };
  recordItem(
    fixture,
    'conversation direct',
    (await callAs(member, ['POST', '/chat/conversations', direct]))._id,
    'conversations',
  );
  const ofProject = await waitForConversation(manager, `${getMark('project', 'a')} name`);
  recordItem(fixture, 'conversation project', ofProject, 'conversations');
  const title = { title: getMark('conversation project', 'a') };
  await callAs(manager, ['PATCH', `/chat/conversations/${ofProject}`, title]);
  await callAs(manager, ['POST', `/chat/conversations/${ofProject}/participants`, { userId: guest.id }], 200);
  await makeDepartmentConversation(fixture);
  for (const type of ['direct', 'group', 'project'] as const) await postMessages(fixture, type, 'a');
  fixture.deletedFileMessageId = await sendFile(
    fixture,
    'deleted attachment',
    'group',
    getMark('deleted attachment', 'a'),
  );
  await sendMessage(fixture, 'deleted message', 'group', getMark('deleted message', 'a'));
}

/** The department has members only later. */
async function makeDepartmentConversation(fixture: VisibilityFixture): Promise<void> {
  const kind = 'conversation of a department';
  const memberGroups = [{ type: 'department', _id: idOf(fixture, 'department') }];
  const mark = getMark(kind, 'a');
  const body = { type: 'group', title: mark, description: mark, purpose: mark, memberGroups };
  const { _id } = await callAs(fixture.actors.manager, ['POST', '/chat/conversations', body]);
  recordItem(fixture, kind, _id, 'conversations');
}

type MessageWithFile = CreatedResource & { attachments: CreatedResource[] };

/** Sends a file without text as `member`, and returns the message id. */
async function sendFile(
  fixture: VisibilityFixture,
  kind: KindName,
  type: ConversationType,
  mark: string,
): Promise<string> {
  const body = fileForm(`${mark}.txt`, { conversation: idOf(fixture, `conversation ${type}`) });
  const init = { method: 'POST', headers: { authorization: `Bearer ${fixture.actors.member.token}` }, body };
  const { status, body: sent } = await send<MessageWithFile>(`${fixture.url}/api/chat/messages`, init);
  if (status !== 201) throw new Error(`Creating ${kind} failed with status ${status}: ${JSON.stringify(sent)}`);
  recordItem(fixture, kind, sent.attachments[0]?._id ?? '', 'attachments');
  return sent._id;
}

type ConversationType = z.output<typeof conversationType>;

async function sendMessage(
  fixture: VisibilityFixture,
  kind: KindName,
  type: ConversationType,
  content: string,
): Promise<string> {
  const conversation = idOf(fixture, `conversation ${type}`);
  const { _id } = await callAs(fixture.actors.member, ['POST', '/chat/messages', { conversation, content }]);
  return recordItem(fixture, kind, _id, 'messages', conversation);
}

/** Sends a file and a message as `member`, and edits the message. */
export async function postMessages(fixture: VisibilityFixture, type: ConversationType, when: 'a' | 'b'): Promise<void> {
  await sendFile(fixture, `attachment ${type}`, type, getMark(`attachment ${type}`, when));
  const mark = getMark(`message ${type}`, when);
  const id = await sendMessage(fixture, `message ${type}`, type, mark);
  const { member } = fixture.actors;
  await callAs(member, ['PATCH', `/chat/messages/${id}`, { content: `${mark} edited` }]);
  for (const path of ['reactions/%F0%9F%91%8D', 'pin', 'saved'])
    await callAs(member, ['PUT', `/chat/messages/${id}/${path}`], 200);
  await sendReply(fixture, type, { root: id, content: getMark(`reply ${type}`, when) });
}

async function sendReply(
  fixture: VisibilityFixture,
  type: ConversationType,
  { root, content }: { root: string; content: string },
): Promise<void> {
  const conversation = idOf(fixture, `conversation ${type}`);
  const body = { conversation, thread: root, content };
  const { _id } = await callAs(fixture.actors.member, ['POST', '/chat/messages', body]);
  fixture.resources.push({ kind: `reply ${type}`, id: _id, idSet: 'messages', parentId: conversation, rootId: root });
}

async function makeDocuments(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, uploader, sharedWith, former, partner } = fixture.actors;
  await uploadAs(fixture, uploader, 'document private', { visibility: 'private' });
  const shared = await uploadAs(fixture, uploader, 'document shared', { visibility: 'private' });
  const userIds = [sharedWith.id, former.id];
  await callAs(uploader, ['POST', `/documents/${shared}/share`, { userIds }], 200);
  // The documents service learns of the project from its event.
  const project = idOf(fixture, 'project');
  await waitFor(
    () => uploadAs(fixture, manager, 'document team', { visibility: 'team', project }).catch(() => undefined),
    {
      description: 'the documents service to know the project',
    },
  );
  const ofProject = await uploadAs(fixture, uploader, 'document of project members', { visibility: 'private' });
  await callAs(uploader, ['POST', `/documents/${ofProject}/share`, { projectIds: [project] }], 200);
  // The documents service learns of the department and its members from the directory.
  const department = idOf(fixture, 'department');
  for (const user of [partner, former]) {
    await callAs(admin, ['PATCH', `/users/${user.id}`, { department }]);
    const conversation = `/chat/conversations/${idOf(fixture, 'conversation of a department')}`;
    await waitFor(async () => (await user.call('GET', conversation)).status === 200, {
      description: 'the member of the department to be in its conversation',
    });
  }
  const ofDepartment = await uploadAs(fixture, uploader, 'document of a department', { visibility: 'private' });
  await waitFor(
    async () => {
      const body = { departmentIds: [department] };
      return (await uploader.call('POST', `/documents/${ofDepartment}/share`, body)).status === 200;
    },
    { description: 'the documents service to know the department' },
  );
  await uploadAs(fixture, uploader, 'document team without project', { visibility: 'team' });
  await uploadAs(fixture, uploader, 'document public', { visibility: 'public' });
  await uploadAs(fixture, uploader, 'deleted document', { visibility: 'public' });
  const body = { fileName: `${getMark('unfinished upload', 'a')}.bin`, size: 4 };
  recordItem(
    fixture,
    'unfinished upload',
    (await callAs(uploader, ['POST', '/documents/uploads', body]))._id,
    'uploads',
  );
}

export async function uploadAs(
  fixture: VisibilityFixture,
  who: Client,
  kind: KindName,
  fields: Record<string, string>,
): Promise<string> {
  const mark = getMark(kind, 'a');
  const form = uploadForm(`${mark}.txt`, { ...fields, ...markFields(mark, 'name', 'description', 'tags') });
  const init = { method: 'POST', headers: { authorization: `Bearer ${who.token}` }, body: form };
  const { status, body } = await send<CreatedResource>(`${fixture.url}/api/documents/upload`, init);
  if (status !== 201) throw new Error(`Creating ${kind} failed with status ${status}: ${JSON.stringify(body)}`);
  return recordItem(fixture, kind, body._id, 'documents');
}
