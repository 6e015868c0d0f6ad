import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { waitFor } from '@atrium/test-kit/wait-for';
import { buildProject, emojiForm, uploadForm } from '../workspace/builders.ts';
import { type Client, createResource, createUser, expectStatus, send, setUpWorkspace } from '../workspace/workspace.ts';

/** Users who watch all of their responses, one for each kind of access. */
export const WATCHERS = ['admin', 'manager', 'member', 'colleague', 'outsider'] as const;
export type Watcher = (typeof WATCHERS)[number];
type UserName = Watcher | 'nora' | 'otto' | 'paula' | 'vera' | 'marker';
export type Users = Readonly<Record<UserName, Client>>;

export type Task = { _id: string; project: string };
export type Document = { _id: string; uploader: Client };
/** `participants` does not include users whose accounts steps deactivate. */
export type Conversation = { _id: string; isGroup: boolean; owner: Client; participants: readonly Client[] };

/** The resources of the workspace that steps change. */
export type Workspace = {
  url: string;
  users: Users;
  departments: { design: string; support: string };
  emptyDepartments: string[];
  projects: { main: string; other: string; all: string[] };
  tasks: Task[];
  meetings: string[];
  /** Meetings that have begun, which can be closed. */
  begunMeetings: string[];
  seriesId: string;
  rooms: string[];
  documents: Document[];
  conversations: Conversation[];
  /** A message of the first conversation. */
  message: string;
  invitations: { _id: string; token: string }[];
  pick: <T>(values: readonly T[]) => T;
  /** Returns a name that no other resource has. */
  createName: () => string;
  /** Returns the times of a meeting that overlaps with no other. */
  createTimes: () => { startTime: string; endTime: string };
};

const ACCOUNTS = {
  manager: { first: 'Manuel', last: 'Álvarez', role: 'project_manager' },
  member: { first: 'Mia', last: 'Berg', role: 'member' },
  colleague: { first: 'Carla', last: 'Dörr', role: 'member' },
  outsider: { first: 'Oskar', last: 'Ek', role: 'member' },
  nora: { first: 'Nora', last: 'Ángel', role: 'member' },
  otto: { first: 'Otto', last: 'Zander', role: 'member' },
  paula: { first: 'Paula', last: 'Quist', role: 'project_manager' },
  vera: { first: 'Vera', last: 'Novak', role: 'member' },
  marker: { first: 'Marker', last: 'Unseen', role: 'member' },
} as const;

const WORDS = ['Alpha', 'beta', 'Ánna', 'Đelta', 'omega', 'Zoe'];
const HOUR_MS = 3_600_000;

export async function createWorkspace(url: string, seed: number): Promise<Workspace> {
  const users = await createUsers(url);
  const random = createSeededRandom(seed);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new NotApplicableError('Nothing to choose from');
    return value;
  };
  let names = 0;
  const createName = () => {
    names += 1;
    return `${pick(WORDS)} ${names}`;
  };
  let slots = 0;
  const firstSlot = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  const createTimes = () => {
    slots += 1;
    const start = firstSlot + 2 * slots * HOUR_MS;
    return { startTime: new Date(start).toISOString(), endTime: new Date(start + HOUR_MS).toISOString() };
  };
  const departments = await createDepartments(users);
  const projects = await createProjects(users);
  const conversations = await createConversations(users);
  const workspace: Workspace = {
    url,
    users,
    departments,
    emptyDepartments: [],
    projects,
    tasks: await createTasks(users, projects),
    meetings: [],
    begunMeetings: [],
    seriesId: '',
    rooms: await createRooms(users, departments.design),
    documents: [],
    conversations,
    message: await createMessage(users, conversations),
    invitations: [],
    pick,
    createName,
    createTimes,
  };
  await createMeetings(workspace);
  await createDocuments(workspace);
  return workspace;
}

/** A step whose resources do not exist now; it is repeated later. */
export class NotApplicableError extends Error {}

async function createUsers(url: string): Promise<Users> {
  const admin = await setUpWorkspace(url);
  const users: Partial<Record<UserName, Client>> = { admin };
  for (const [name, account] of Object.entries(ACCOUNTS))
    users[name as UserName] = await createUser(url, admin, account);
  return users as Users;
}

async function createDepartments({ admin, colleague, otto }: Users) {
  const design = await createResource(admin, '/departments', { name: 'Ateliér' });
  const support = await createResource(admin, '/departments', { name: 'Field service' });
  for (const [{ id }, department] of [
    [colleague, design],
    [otto, support],
  ] as const)
    await expectStatus(admin.call('PATCH', `/users/${id}`, { department }), 200);
  return { design, support };
}

async function createProjects({ admin, manager, member, colleague, nora, otto, paula, vera, marker }: Users) {
  const create = (name: string, projectManager: Client, members: readonly Client[]) =>
    createResource(
      admin,
      '/projects',
      buildProject(name, projectManager, { teamMembers: members.map(({ id }) => id) }),
    );
  const main = await create('Main project', manager, [member, nora]);
  // More members than the items of events contain.
  const other = await create('Other project', paula, [colleague, vera, nora, otto, marker, admin, manager]);
  const third = await create('Ánna', manager, [member, nora, colleague]);
  return { main, other, all: [main, other, third] };
}

async function createTasks({ admin, member, nora, vera }: Users, { main, other }: Workspace['projects']) {
  const tasks: Task[] = [];
  for (const [project, assignedTo, priority] of [
    [main, member, 'low'],
    [main, nora, 'urgent'],
    [main, null, 'medium'],
    [main, member, 'high'],
    [other, vera, 'medium'],
    [other, null, 'low'],
  ] as const) {
    const fields = { title: `Task ${tasks.length}`, project, priority, assignedTo: assignedTo?.id ?? null };
    tasks.push({ _id: await createResource(admin, '/tasks', fields), project });
  }
  return tasks;
}

async function createRooms({ admin }: Users, design: string): Promise<string[]> {
  return [
    await createResource(admin, '/meetings/rooms', { name: 'Linden', size: 8 }),
    await createResource(admin, '/meetings/rooms', { name: 'Oak', size: 4, departments: [design] }),
  ];
}

async function createConversations({ manager, member, colleague, outsider, vera }: Users): Promise<Conversation[]> {
  const createGroup = async (title: string, owner: Client, participants: readonly Client[]): Promise<Conversation> => {
    const body = { type: 'group', title, participants: [...participants, vera].map(({ id }) => id) };
    return { _id: await createResource(owner, '/chat/conversations', body), isGroup: true, owner, participants };
  };
  const body = { type: 'direct', participants: [outsider.id] };
  const direct = await createResource(member, '/chat/conversations', body);
  return [
    await createGroup('planning', manager, [member, outsider]),
    await createGroup('lunch', colleague, [outsider, member]),
    { _id: direct, isGroup: false, owner: member, participants: [outsider] },
  ];
}

const createMessage = ({ manager }: Users, [group]: Conversation[]) =>
  createResource(manager, '/chat/messages', { conversation: group?._id, content: 'Watched' });

export async function addEmoji(url: string, { token }: Client, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = send<{ _id: string }>(`${url}/api/chat/emoji`, { method: 'POST', headers, body: emojiForm(name) });
  return (await expectStatus(response, 201))._id;
}

const MEETING = { type: 'standup', meetingLink: 'https://meet.example.org/room' };

async function createMeetings(workspace: Workspace): Promise<void> {
  const { users, projects, createTimes } = workspace;
  const { manager, member, nora, colleague, paula, vera } = users;
  // Services learn of a project from its event.
  const create = (organizer: Client, fields: object) =>
    waitFor(() => createResource(organizer, '/meetings', { ...MEETING, ...createTimes(), ...fields }), {
      description: 'a meeting to be created',
    });
  const invite = (...users: readonly Client[]) => ({ participants: users.map(({ id }) => id) });
  const planning = { title: 'Planning', project: projects.main, ...invite(member, nora), room: workspace.rooms[0] };
  workspace.meetings.push(await create(manager, planning));
  workspace.meetings.push(await create(paula, { title: 'Review', ...invite(colleague, vera) }));
  const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: inDays(25).slice(0, 10) };
  const first = await create(manager, { title: 'Weekly', ...series, ...invite(member, colleague, vera) });
  const { seriesId } = await expectStatus(manager.call<{ seriesId: string }>('GET', `/meetings/${first}`), 200);
  workspace.seriesId = seriesId;
  workspace.meetings.push(first);
  const now = { startTime: new Date(Date.now() - 1_000).toISOString(), endTime: inDays(0.9) };
  for (const [title, project] of [
    ['Retrospective', projects.main],
    ['One-on-one', null],
  ] as const)
    workspace.begunMeetings.push(await create(manager, { title, project, ...now, ...invite(member) }));
  await waitUntilBegun(manager, workspace.begunMeetings);
}

const inDays = (days: number) => new Date(Date.now() + 24 * days * HOUR_MS).toISOString();

async function waitUntilBegun(organizer: Client, ids: readonly string[]): Promise<void> {
  type Closing = { abilities: { close: boolean } };
  for (const id of ids)
    await waitFor(async () => (await organizer.call<Closing>('GET', `/meetings/${id}/closing`)).body.abilities.close, {
      description: 'a meeting to begin',
    });
}

async function createDocuments(workspace: Workspace): Promise<void> {
  const { users, projects, departments } = workspace;
  const { manager, member, outsider, colleague } = users;
  for (const [uploader, fields, share] of [
    [member, { visibility: 'private' }, null],
    [member, { visibility: 'private' }, { userIds: [outsider.id] }],
    [manager, { visibility: 'team', project: projects.main }, null],
    [member, { visibility: 'public', tags: 'plan' }, null],
    [member, { visibility: 'private' }, { departmentIds: [departments.design] }],
    [colleague, { visibility: 'private' }, { projectIds: [projects.main] }],
    [outsider, { visibility: 'team' }, null],
  ] as const) {
    const name = `Document ${workspace.documents.length}`;
    const _id = await waitFor(() => uploadDocument(workspace.url, uploader, name, fields), {
      description: 'a document to be uploaded',
    });
    workspace.documents.push({ _id, uploader });
    if (share)
      await waitFor(async () => (await uploader.call('POST', `/documents/${_id}/share`, share)).status === 200, {
        description: 'a document to be shared',
      });
  }
}

export async function uploadDocument(
  url: string,
  { token }: Client,
  name: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const body = uploadForm(`${name}.txt`, { ...fields, name });
  const response = send<{ _id: string }>(`${url}/api/documents/upload`, { method: 'POST', headers, body });
  return (await expectStatus(response, 201))._id;
}
