import type { conversationType } from '@atrium/proto-events/http/chat';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { z } from 'zod';
import { type Client, conversationOf, fileForm, PASSWORD, send, signIn, uploadForm } from '../../workspace.ts';
import { type Cast, does } from './actors.ts';
import type { IdSet } from './channels.ts';
import { type KindName, markOf } from './kinds.ts';

/** Something there is: of which kind, and what names it where only ids are told. */
export type Thing = {
  kind: KindName;
  id: string;
  /** What its id goes into; none for what no call names. */
  of?: IdSet;
  /** The task of a comment, the conversation of a message. */
  within?: string;
};

export type World = {
  url: string;
  actors: Cast;
  things: Thing[];
  /** Of what somebody was taken out of, its version when they were: what is later is not for them. */
  lost: Map<string, number>;
  /** The message whose file is the `deleted attachment`. */
  deletedFile?: string;
};

type Made = { _id: string; version: number };
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const texts = (mark: string, ...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, `${mark} ${field}`]));

export const idOf = ({ things }: Pick<World, 'things'>, kind: KindName): string => {
  const found = things.find((thing) => thing.kind === kind);
  if (!found) throw new Error(`there is no ${kind}`);
  return found.id;
};

/** One of every kind, with its mark in every text that it has, while everybody is still there. */
export async function furnish(url: string, actors: Cast): Promise<World> {
  const world: World = { url, actors, things: [], lost: new Map() };
  await makePeople(world);
  await makeProject(world);
  await makeMeetings(world);
  await makeConversations(world);
  await makeDocuments(world);
  return world;
}

/** Remembers a thing by what names it. */
export function note({ things }: World, kind: KindName, id: string, of?: IdSet, within?: string): string {
  things.push({ kind, id, ...(of && { of }), ...(within && { within }) });
  return id;
}

const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? '';

async function makePeople(world: World): Promise<void> {
  const { admin, stranger } = world.actors;
  const bio = texts(markOf('user', 'a'), 'bio', 'location');
  note(world, 'user', (await does(stranger, ['PATCH', '/users/profile', bio]))._id, 'users');
  const named = { name: markOf('department', 'a') };
  note(world, 'department', (await does(admin, ['POST', '/departments', named]))._id, 'departments');
  const invitation = { email: 'invited@example.org', firstName: 'Ina', lastName: 'Invited', role: 'member' };
  const invited = await does<Made & { inviteUrl: string }>(admin, ['POST', '/auth/invite', invitation]);
  note(world, 'invitation', invited._id, 'invitations');
  note(world, 'link of an invitation', tokenIn(invited.inviteUrl));
  const path = `/users/${stranger.id}/reset-link`;
  note(world, 'link of a reset', tokenIn((await does<{ resetUrl: string }>(admin, ['POST', path], 200)).resetUrl));
  await anotherSession(world);
  await failedSignIn(world, 'a');
}

/** Which the security log records with the address that was given. */
export async function failedSignIn(world: World, when: 'a' | 'b'): Promise<void> {
  const email = `${markOf('security record', when)}@example.org`;
  const body = JSON.stringify({ email, password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  await send(`${world.url}/api/auth/login`, { method: 'POST', headers, body });
  note(world, 'security record', email);
}

/** Signs `member` in on another device. */
export async function anotherSession(world: World): Promise<void> {
  const { member } = world.actors;
  await signIn(world.url, member.email, PASSWORD);
  const { data } = await does<{ data: Made[] }>(member, ['GET', '/auth/sessions?limit=100']);
  for (const { _id } of data) if (!world.things.some(({ id }) => id === _id)) note(world, 'session', _id, 'sessions');
}

async function makeProject(world: World): Promise<void> {
  const { admin, manager, member, former, deactivated } = world.actors;
  const project = await does(admin, [
    'POST',
    '/projects',
    {
      ...texts(markOf('project', 'a'), 'name', 'description'),
      projectManager: manager.id,
      teamMembers: [member.id, former.id, deactivated.id],
      priority: 'low',
      status: 'in-progress',
    },
  ]);
  note(world, 'project', project._id, 'projects');
  const buildTask = (kind: KindName) =>
    does(member, ['POST', '/tasks', { ...texts(markOf(kind, 'a'), 'title', 'description'), project: project._id }]);
  const task = await buildTask('task');
  note(world, 'task', task._id, 'tasks');
  const comment = { comment: markOf('comment', 'a') };
  note(
    world,
    'comment',
    (await does(member, ['POST', `/tasks/${task._id}/comments`, comment]))._id,
    'comments',
    task._id,
  );
  const gone = await buildTask('deleted task');
  note(world, 'deleted task', gone._id, 'tasks');
}

const meetingOf = (kind: KindName, world: World, days: number) => ({
  ...texts(markOf(kind, 'a'), 'title', 'description', 'location', 'agenda'),
  meetingLink: `https://meet.example.org/${markOf(kind, 'a')}`,
  type: 'standup',
  startTime: inDays(days),
  endTime: inDays(days + 0.02),
  project: idOf(world, 'project'),
  participants: [world.actors.member.id, world.actors.former.id, world.actors.deactivated.id],
});

async function makeMeetings(world: World): Promise<void> {
  const { admin, manager, member, former, deactivated, guest } = world.actors;
  const room = { name: markOf('room', 'a'), size: 4 };
  note(world, 'room', (await does(admin, ['POST', '/meetings/rooms', room]))._id, 'rooms');
  for (const kind of ['meeting', 'cancelled meeting'] as const)
    note(world, kind, (await does(manager, ['POST', '/meetings', meetingOf(kind, world, 2)]))._id, 'meetings');
  // What all dates share is for whoever is invited to one of them.
  const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: inDays(20).slice(0, 10) };
  await does(manager, ['POST', '/meetings', { ...meetingOf('date with a guest', world, 3), ...series }]);
  const { data } = await does<{ data: (Made & { seriesId: string | null })[] }>(manager, [
    'GET',
    '/meetings?limit=100',
  ]);
  const [own, shared] = data.filter(({ seriesId }) => seriesId !== null);
  if (!own || !shared) throw new Error('the series has no dates');
  note(world, 'date of a series', own._id, 'meetings');
  note(world, 'date with a guest', shared._id, 'meetings');
  note(world, 'date with a guest', shared.seriesId ?? '', 'series');
  const notes = texts(markOf('date of a series', 'a'), 'notes', 'summary', 'agenda');
  await does(manager, ['PATCH', `/meetings/${own._id}?scope=this`, notes]);
  const participants = [member.id, former.id, deactivated.id, guest.id];
  await does(manager, ['PATCH', `/meetings/${shared._id}?scope=this`, { participants }]);
}

async function makeConversations(world: World): Promise<void> {
  const { manager, member, former, deactivated, guest, partner } = world.actors;
  const group = {
    type: 'group',
    title: markOf('conversation group', 'a'),
    description: markOf('conversation group', 'a'),
    participants: [member.id, former.id, deactivated.id],
  };
  const made = await does(manager, ['POST', '/chat/conversations', group]);
  note(world, 'conversation group', made._id, 'conversations');
  const two = { type: 'direct', participants: [partner.id] };
  note(world, 'conversation direct', (await does(member, ['POST', '/chat/conversations', two]))._id, 'conversations');
  const ofProject = await conversationOf(manager, `${markOf('project', 'a')} name`);
  note(world, 'conversation project', ofProject, 'conversations');
  const title = { title: markOf('conversation project', 'a') };
  await does(manager, ['PATCH', `/chat/conversations/${ofProject}`, title]);
  await does(manager, ['POST', `/chat/conversations/${ofProject}/participants`, { userId: guest.id }], 200);
  for (const type of ['direct', 'group', 'project'] as const) await say(world, type, 'a');
  world.deletedFile = await sayWithFile(world, 'deleted attachment', 'group', markOf('deleted attachment', 'a'));
  await noteMessage(world, 'deleted message', 'group', markOf('deleted message', 'a'));
}

type WithFile = Made & { attachments: Made[] };

/** `member` sends a file, without a word; answers its message. */
async function sayWithFile(world: World, kind: KindName, type: Type, mark: string): Promise<string> {
  const body = fileForm(`${mark}.txt`, { conversation: idOf(world, `conversation ${type}`) });
  const init = { method: 'POST', headers: { authorization: `Bearer ${world.actors.member.token}` }, body };
  const { status, body: sent } = await send<WithFile>(`${world.url}/api/chat/messages`, init);
  if (status !== 201) throw new Error(`${kind} was answered ${status}: ${JSON.stringify(sent)}`);
  note(world, kind, sent.attachments[0]?._id ?? '', 'attachments');
  return sent._id;
}

type Type = z.output<typeof conversationType>;

async function noteMessage(world: World, kind: KindName, type: Type, content: string): Promise<string> {
  const conversation = idOf(world, `conversation ${type}`);
  const { _id } = await does(world.actors.member, ['POST', '/chat/messages', { conversation, content }]);
  return note(world, kind, _id, 'messages', conversation);
}

/** `member` sends a file, says something and corrects it. */
export async function say(world: World, type: Type, when: 'a' | 'b'): Promise<void> {
  await sayWithFile(world, `attachment ${type}`, type, markOf(`attachment ${type}`, when));
  const mark = markOf(`message ${type}`, when);
  const id = await noteMessage(world, `message ${type}`, type, mark);
  await does(world.actors.member, ['PATCH', `/chat/messages/${id}`, { content: `${mark} edited` }]);
}

async function makeDocuments(world: World): Promise<void> {
  const { admin, manager, uploader, sharedWith, former, partner } = world.actors;
  await uploadAs(world, uploader, 'document private', { visibility: 'private' });
  const shared = await uploadAs(world, uploader, 'document shared', { visibility: 'private' });
  const userIds = [sharedWith.id, former.id];
  await does(uploader, ['POST', `/documents/${shared}/share`, { userIds }], 200);
  // Documents hears of the project by its event.
  const project = idOf(world, 'project');
  await waitFor(
    () => uploadAs(world, manager, 'document team', { visibility: 'team', project }).catch(() => undefined),
    {
      what: 'documents to know the project',
    },
  );
  const ofProject = await uploadAs(world, uploader, 'document of a project’s people', { visibility: 'private' });
  await does(uploader, ['POST', `/documents/${ofProject}/share`, { projectIds: [project] }], 200);
  // Of a department that was made a moment ago, and with people who have just come into it: the directory tells of both.
  const department = idOf(world, 'department');
  for (const one of [partner, former]) await does(admin, ['PATCH', `/users/${one.id}`, { department }]);
  const ofDepartment = await uploadAs(world, uploader, 'document of a department', { visibility: 'private' });
  await waitFor(
    async () => {
      const body = { departmentIds: [department] };
      return (await uploader.call('POST', `/documents/${ofDepartment}/share`, body)).status === 200;
    },
    { what: 'documents to know the department' },
  );
  await uploadAs(world, uploader, 'document team, of no project', { visibility: 'team' });
  await uploadAs(world, uploader, 'document public', { visibility: 'public' });
  await uploadAs(world, uploader, 'deleted document', { visibility: 'public' });
  const body = { fileName: `${markOf('unfinished upload', 'a')}.bin`, size: 4 };
  note(world, 'unfinished upload', (await does(uploader, ['POST', '/documents/uploads', body]))._id, 'uploads');
}

export async function uploadAs(
  world: World,
  who: Client,
  kind: KindName,
  fields: Record<string, string>,
): Promise<string> {
  const mark = markOf(kind, 'a');
  const form = uploadForm(`${mark}.txt`, { ...fields, ...texts(mark, 'name', 'description', 'tags') });
  const init = { method: 'POST', headers: { authorization: `Bearer ${who.token}` }, body: form };
  const { status, body } = await send<Made>(`${world.url}/api/documents/upload`, init);
  if (status !== 201) throw new Error(`${kind} was answered ${status}: ${JSON.stringify(body)}`);
  return note(world, kind, body._id, 'documents');
}
