import type { conversationType } from '@atrium/proto-events/http/chat';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { z } from 'zod';
import { buildInvitation, buildProject, fileForm, tokenIn, uploadForm } from '../../../workspace/builders.ts';
import { type Client, waitForConversation, PASSWORD, send, signIn } from '../../../workspace/workspace.ts';
import { type Actors, callAs } from './actors.ts';
import type { IdSet } from './channels.ts';
import { type KindName, markOf } from './kinds.ts';

/** A resource: its kind, and its id. */
export type FixtureResource = {
  kind: KindName;
  id: string;
  /** The set that its id belongs to; undefined if no endpoint takes it. */
  idSet?: IdSet;
  /** The task of a comment, or the conversation of a message. */
  parentId?: string;
};

export type VisibilityFixture = {
  url: string;
  actors: Actors;
  resources: FixtureResource[];
  /** Versions of resources when users were removed: later versions must not reach them. */
  versionsAtRemoval: Map<string, number>;
  /** The message with the `deleted attachment`. */
  deletedFileMessageId?: string;
};

type Made = { _id: string; version: number };
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const texts = (mark: string, ...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, `${mark} ${field}`]));

export const idOf = ({ resources: things }: Pick<VisibilityFixture, 'resources'>, kind: KindName): string => {
  const found = things.find((thing) => thing.kind === kind);
  if (!found) throw new Error(`No ${kind} in the fixture`);
  return found.id;
};

/** Creates one resource of every kind, with its mark in every text field, while all users still have access. */
export async function createVisibilityFixture(url: string, actors: Actors): Promise<VisibilityFixture> {
  const fixture: VisibilityFixture = { url, actors, resources: [], versionsAtRemoval: new Map() };
  await makePeople(fixture);
  await makeProject(fixture);
  await makeMeetings(fixture);
  await makeConversations(fixture);
  await makeDocuments(fixture);
  return fixture;
}

export function recordItem(
  { resources: things }: VisibilityFixture,
  kind: KindName,
  id: string,
  of?: IdSet,
  within?: string,
): string {
  things.push({ kind, id, ...(of && { idSet: of }), ...(within && { parentId: within }) });
  return id;
}

async function makePeople(fixture: VisibilityFixture): Promise<void> {
  const { admin, stranger } = fixture.actors;
  const bio = texts(markOf('user', 'a'), 'bio', 'location');
  recordItem(fixture, 'user', (await callAs(stranger, ['PATCH', '/users/profile', bio]))._id, 'users');
  const named = { name: markOf('department', 'a') };
  recordItem(fixture, 'department', (await callAs(admin, ['POST', '/departments', named]))._id, 'departments');
  const invited = await callAs<Made & { inviteUrl: string }>(admin, [
    'POST',
    '/auth/invite',
    buildInvitation('invited'),
  ]);
  recordItem(fixture, 'invitation', invited._id, 'invitations');
  recordItem(fixture, 'link of an invitation', tokenIn(invited.inviteUrl));
  const path = `/users/${stranger.id}/reset-link`;
  recordItem(
    fixture,
    'link of a reset',
    tokenIn((await callAs<{ resetUrl: string }>(admin, ['POST', path], 200)).resetUrl),
  );
  await addSession(fixture);
  await failedSignIn(fixture, 'a');
}

/** The security log records the email address. */
export async function failedSignIn(fixture: VisibilityFixture, when: 'a' | 'b'): Promise<void> {
  const email = `${markOf('security record', when)}@example.org`;
  const body = JSON.stringify({ email, password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  await send(`${fixture.url}/api/auth/login`, { method: 'POST', headers, body });
  recordItem(fixture, 'security record', email);
}

/** Signs `member` in on another device. */
export async function addSession(fixture: VisibilityFixture): Promise<void> {
  const { member } = fixture.actors;
  await signIn(fixture.url, member.email, PASSWORD);
  const { data } = await callAs<{ data: Made[] }>(member, ['GET', '/auth/sessions?limit=100']);
  for (const { _id } of data)
    if (!fixture.resources.some(({ id }) => id === _id)) recordItem(fixture, 'session', _id, 'sessions');
}

async function makeProject(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, member, former, deactivated } = fixture.actors;
  const project = await callAs(admin, [
    'POST',
    '/projects',
    buildProject('', manager, {
      ...texts(markOf('project', 'a'), 'name', 'description'),
      teamMembers: [member.id, former.id, deactivated.id],
    }),
  ]);
  recordItem(fixture, 'project', project._id, 'projects');
  const createTask = (kind: KindName) =>
    callAs(member, ['POST', '/tasks', { ...texts(markOf(kind, 'a'), 'title', 'description'), project: project._id }]);
  const task = await createTask('task');
  recordItem(fixture, 'task', task._id, 'tasks');
  const comment = { comment: markOf('comment', 'a') };
  recordItem(
    fixture,
    'comment',
    (await callAs(member, ['POST', `/tasks/${task._id}/comments`, comment]))._id,
    'comments',
    task._id,
  );
  const gone = await createTask('deleted task');
  recordItem(fixture, 'deleted task', gone._id, 'tasks');
}

const meetingOf = (kind: KindName, fixture: VisibilityFixture, days: number) => ({
  ...texts(markOf(kind, 'a'), 'title', 'description', 'location', 'agenda'),
  meetingLink: `https://meet.example.org/${markOf(kind, 'a')}`,
  type: 'standup',
  startTime: inDays(days),
  endTime: inDays(days + 0.02),
  project: idOf(fixture, 'project'),
  participants: [fixture.actors.member.id, fixture.actors.former.id, fixture.actors.deactivated.id],
});

async function makeMeetings(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, member, former, deactivated, guest } = fixture.actors;
  const room = { name: markOf('room', 'a'), size: 4 };
  recordItem(fixture, 'room', (await callAs(admin, ['POST', '/meetings/rooms', room]))._id, 'rooms');
  for (const kind of ['meeting', 'cancelled meeting'] as const)
    recordItem(
      fixture,
      kind,
      (await callAs(manager, ['POST', '/meetings', meetingOf(kind, fixture, 2)]))._id,
      'meetings',
    );
  // Shared fields of a series are visible to guests of single occurrences.
  const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: inDays(20).slice(0, 10) };
  await callAs(manager, ['POST', '/meetings', { ...meetingOf('date with a guest', fixture, 3), ...series }]);
  const { data } = await callAs<{ data: (Made & { seriesId: string | null })[] }>(manager, [
    'GET',
    '/meetings?limit=100',
  ]);
  const [own, shared] = data.filter(({ seriesId }) => seriesId !== null);
  if (!own || !shared) throw new Error('The series has no occurrences');
  recordItem(fixture, 'date of a series', own._id, 'meetings');
  recordItem(fixture, 'date with a guest', shared._id, 'meetings');
  recordItem(fixture, 'date with a guest', shared.seriesId ?? '', 'series');
  const notes = texts(markOf('date of a series', 'a'), 'notes', 'summary', 'agenda');
  await callAs(manager, ['PATCH', `/meetings/${own._id}?scope=this`, notes]);
  const participants = [member.id, former.id, deactivated.id, guest.id];
  await callAs(manager, ['PATCH', `/meetings/${shared._id}?scope=this`, { participants }]);
}

async function makeConversations(fixture: VisibilityFixture): Promise<void> {
  const { manager, member, former, deactivated, guest, partner } = fixture.actors;
  const group = {
    type: 'group',
    title: markOf('conversation group', 'a'),
    description: markOf('conversation group', 'a'),
    participants: [member.id, former.id, deactivated.id],
  };
  const created = await callAs(manager, ['POST', '/chat/conversations', group]);
  recordItem(fixture, 'conversation group', created._id, 'conversations');
  const two = { type: 'direct', participants: [partner.id] };
  recordItem(
    fixture,
    'conversation direct',
    (await callAs(member, ['POST', '/chat/conversations', two]))._id,
    'conversations',
  );
  const ofProject = await waitForConversation(manager, `${markOf('project', 'a')} name`);
  recordItem(fixture, 'conversation project', ofProject, 'conversations');
  const title = { title: markOf('conversation project', 'a') };
  await callAs(manager, ['PATCH', `/chat/conversations/${ofProject}`, title]);
  await callAs(manager, ['POST', `/chat/conversations/${ofProject}/participants`, { userId: guest.id }], 200);
  for (const type of ['direct', 'group', 'project'] as const) await postMessages(fixture, type, 'a');
  fixture.deletedFileMessageId = await sayWithFile(
    fixture,
    'deleted attachment',
    'group',
    markOf('deleted attachment', 'a'),
  );
  await sendMessage(fixture, 'deleted message', 'group', markOf('deleted message', 'a'));
}

type WithFile = Made & { attachments: Made[] };

/** `member` sends a file without text. Returns the message id. */
async function sayWithFile(fixture: VisibilityFixture, kind: KindName, type: Type, mark: string): Promise<string> {
  const body = fileForm(`${mark}.txt`, { conversation: idOf(fixture, `conversation ${type}`) });
  const init = { method: 'POST', headers: { authorization: `Bearer ${fixture.actors.member.token}` }, body };
  const { status, body: sent } = await send<WithFile>(`${fixture.url}/api/chat/messages`, init);
  if (status !== 201) throw new Error(`Creating ${kind} failed with status ${status}: ${JSON.stringify(sent)}`);
  recordItem(fixture, kind, sent.attachments[0]?._id ?? '', 'attachments');
  return sent._id;
}

type Type = z.output<typeof conversationType>;

async function sendMessage(fixture: VisibilityFixture, kind: KindName, type: Type, content: string): Promise<string> {
  const conversation = idOf(fixture, `conversation ${type}`);
  const { _id } = await callAs(fixture.actors.member, ['POST', '/chat/messages', { conversation, content }]);
  return recordItem(fixture, kind, _id, 'messages', conversation);
}

/** `member` sends a file, and a message that is then edited. */
export async function postMessages(fixture: VisibilityFixture, type: Type, when: 'a' | 'b'): Promise<void> {
  await sayWithFile(fixture, `attachment ${type}`, type, markOf(`attachment ${type}`, when));
  const mark = markOf(`message ${type}`, when);
  const id = await sendMessage(fixture, `message ${type}`, type, mark);
  await callAs(fixture.actors.member, ['PATCH', `/chat/messages/${id}`, { content: `${mark} edited` }]);
}

async function makeDocuments(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, uploader, sharedWith, former, partner } = fixture.actors;
  await uploadAs(fixture, uploader, 'document private', { visibility: 'private' });
  const shared = await uploadAs(fixture, uploader, 'document shared', { visibility: 'private' });
  const userIds = [sharedWith.id, former.id];
  await callAs(uploader, ['POST', `/documents/${shared}/share`, { userIds }], 200);
  // Documents learns of the project from its event.
  const project = idOf(fixture, 'project');
  await waitFor(
    () => uploadAs(fixture, manager, 'document team', { visibility: 'team', project }).catch(() => undefined),
    {
      description: 'documents to know the project',
    },
  );
  const ofProject = await uploadAs(fixture, uploader, 'document of a project’s people', { visibility: 'private' });
  await callAs(uploader, ['POST', `/documents/${ofProject}/share`, { projectIds: [project] }], 200);
  // A new department with new members, which documents learns of from the directory.
  const department = idOf(fixture, 'department');
  for (const one of [partner, former]) await callAs(admin, ['PATCH', `/users/${one.id}`, { department }]);
  const ofDepartment = await uploadAs(fixture, uploader, 'document of a department', { visibility: 'private' });
  await waitFor(
    async () => {
      const body = { departmentIds: [department] };
      return (await uploader.call('POST', `/documents/${ofDepartment}/share`, body)).status === 200;
    },
    { description: 'documents to know the department' },
  );
  await uploadAs(fixture, uploader, 'document team, of no project', { visibility: 'team' });
  await uploadAs(fixture, uploader, 'document public', { visibility: 'public' });
  await uploadAs(fixture, uploader, 'deleted document', { visibility: 'public' });
  const body = { fileName: `${markOf('unfinished upload', 'a')}.bin`, size: 4 };
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
  const mark = markOf(kind, 'a');
  const form = uploadForm(`${mark}.txt`, { ...fields, ...texts(mark, 'name', 'description', 'tags') });
  const init = { method: 'POST', headers: { authorization: `Bearer ${who.token}` }, body: form };
  const { status, body } = await send<Made>(`${fixture.url}/api/documents/upload`, init);
  if (status !== 201) throw new Error(`Creating ${kind} failed with status ${status}: ${JSON.stringify(body)}`);
  return recordItem(fixture, kind, body._id, 'documents');
}
