import { waitFor } from '@atrium/test-kit/wait-for';
import {
  buildInvitation,
  buildMeeting,
  buildProject,
  emojiForm,
  fileForm,
  uploadForm,
} from '../../../workspace/builders.ts';
import {
  type Client,
  createResource,
  createUser,
  expectStatus,
  PASSWORD,
  send,
  setUpWorkspace,
  signIn,
} from '../../../workspace/workspace.ts';

type CreatedResource = { _id: string };

/**
 * The callers of every request. `manager` and `member` belong to the project of the fixture; `otherManager` and
 * `stranger` have the same roles but do not. `anonymous` has no token.
 */
export const ACTORS = ['admin', 'manager', 'otherManager', 'member', 'stranger', 'anonymous'] as const;
export type ActorName = (typeof ACTORS)[number];

/** The actors, a project, and functions that make resources for a request. */
export type RoleFixture = Awaited<ReturnType<typeof createRoleFixture>>;

const ROLES = {
  admin: 'admin',
  manager: 'project_manager',
  otherManager: 'project_manager',
  member: 'member',
  stranger: 'member',
} as const;

export async function createRoleFixture(url: string) {
  const admin = await setUpWorkspace(url);
  const actors = {
    admin,
    manager: await createUser(url, admin, { first: 'Jonas', role: 'project_manager' }),
    otherManager: await createUser(url, admin, { first: 'Omar', role: 'project_manager' }),
    member: await createUser(url, admin, { first: 'Lena', role: 'member' }),
    stranger: await createUser(url, admin, { first: 'Stella', role: 'member' }),
    anonymous: undefined,
  };
  const make = createMakers(url, actors);
  const project = await make.project();
  const fixture = { url, actors, project, make: { ...make, ...createProjectMakers(actors, project, url) } };
  await waitUntilProjectIsKnown(fixture);
  return fixture;
}

type Actors = Record<Exclude<ActorName, 'anonymous'>, Client>;

let uniqueCount = 0;
export const inAnHour = () => new Date(Date.now() + 60 * 60_000).toISOString();

/** Appends a unique number to a text. */
export const unique = (text: string): string => `${text}${++uniqueCount}`;

export const projectBody = ({ manager, member }: Actors) =>
  buildProject(unique('Project '), manager, { teamMembers: [member.id] });

export const meetingBody = ({ member }: Actors) => buildMeeting(unique('Meeting '), { participants: [member.id] });

export const invitationBody = () => buildInvitation(unique('invited'));

function createMakers(url: string, actors: Actors) {
  const { admin } = actors;
  const makeAbandonedProject = async () => {
    const manager = await createUser(url, admin, { first: unique('Leaving'), role: 'project_manager' });
    const id = await createResource(admin, '/projects', { ...projectBody(actors), projectManager: manager.id });
    await expectStatus(admin.call('PATCH', `/users/${manager.id}`, { status: 'inactive' }), 200);
    await waitFor(
      async () => {
        const { body } = await admin.call<{ abilities: { changeManager: boolean } }>('GET', `/projects/${id}`);
        return body.abilities.changeManager;
      },
      { description: 'the project manager to be removed' },
    );
    return id;
  };
  let sharedAbandonedProject: Promise<string> | undefined;
  return {
    /**
     * A project whose manager was deactivated: a new one for the administrator, who replaces the manager, and a shared
     * one for all callers who are denied that.
     */
    abandonedProject: (who: ActorName) => {
      if (who === 'admin') return makeAbandonedProject();
      sharedAbandonedProject ??= makeAbandonedProject();
      return sharedAbandonedProject;
    },
    project: () => createResource(admin, '/projects', projectBody(actors)),
    department: () => createResource(admin, '/departments', { name: unique('Department ') }),
    room: () => createResource(admin, '/meetings/rooms', { name: unique('Room '), size: 8 }),
    invitation: () =>
      expectStatus(admin.call<CreatedResource & { inviteUrl: string }>('POST', '/auth/invite', invitationBody()), 201),
    user: () => createUser(url, admin, { first: unique('Fresh'), role: 'member' }),
    /** Another user with the same role, whose sessions the request may end. */
    sameRoleUser: (who: ActorName) =>
      who === 'anonymous' ? undefined : createUser(url, admin, { first: unique('Same'), role: ROLES[who] }),
    refreshToken: async (who: Client) => (await signIn(url, who.email, PASSWORD)).refreshToken,
  };
}

/** Makes resources that belong to `manager`, `member`, and their project. */
function createProjectMakers(actors: Actors, project: string, url: string) {
  const { admin, manager, member } = actors;
  const task = (by: Client) => createResource(by, '/tasks', { title: unique('Task '), project, assignedTo: member.id });
  const group = (settings: object = {}) =>
    createResource(manager, '/chat/conversations', {
      type: 'group',
      title: unique('group-'),
      participants: [member.id],
      ...settings,
    });
  const startedMeeting = () =>
    createResource(manager, '/meetings', {
      ...meetingBody(actors),
      startTime: new Date(Date.now() - 1_000).toISOString(),
    });
  return {
    task: (by: Client = admin) => task(by),
    comment: async () => {
      const id = await task(admin);
      return { id, commentId: await createResource(member, `/tasks/${id}/comments`, { comment: 'Mine' }) };
    },
    meeting: () => createResource(manager, '/meetings', meetingBody(actors)),
    startedMeeting,
    /** A decision of a closed meeting. */
    decision: async () => {
      const id = await startedMeeting();
      const body = { decisions: [{ text: unique('Decision ') }] };
      const closing = manager.call<{ decisions: CreatedResource[] }>('POST', `/meetings/${id}/close`, body);
      return { id, decisionId: (await expectStatus(closing, 201)).decisions[0]?._id ?? '' };
    },
    /** A document, by default visible to the members of the project. */
    document: async (by: Client = manager, visibility = 'team') => {
      const form = uploadForm(unique('Document '), { visibility, ...(visibility === 'team' && { project }) });
      return (await expectStatus(send<CreatedResource>(`${url}/api/documents/upload`, withToken(by, form)), 201))._id;
    },
    /** An upload of a file of four bytes, which have been sent if `isComplete`. */
    upload: async (isComplete = false) => {
      const id = await createResource(manager, '/documents/uploads', { fileName: unique('file-'), size: 4 });
      const part = { ...withToken(manager, 'four'), method: 'PUT' };
      if (isComplete) await expectStatus(send(`${url}/api/documents/uploads/${id}/parts/1`, part), 204);
      return id;
    },
    group: () => group(),
    publicChannel: () => group({ visibility: 'public' }),
    message: async () => {
      const conversation = await group();
      return createResource(manager, '/chat/messages', { conversation, content: 'Good morning' });
    },
    scheduled: async () => {
      const body = { conversation: await group(), content: 'Good morning', sendAt: inAnHour() };
      return (await expectStatus(manager.call<CreatedResource>('POST', '/chat/messages', body), 202))._id;
    },
    emoji: async () => {
      const form = emojiForm(unique('emoji-').toLowerCase());
      return (await expectStatus(send<CreatedResource>(`${url}/api/chat/emoji`, withToken(admin, form)), 201))._id;
    },
    attachment: async () => {
      const form = fileForm(unique('file-'), { conversation: await group() });
      const sent = send<{ attachments: CreatedResource[] }>(`${url}/api/chat/messages`, withToken(manager, form));
      return (await expectStatus(sent, 201)).attachments[0]?._id ?? '';
    },
  };
}

/** Builds a POST request with the user's token. */
export const withToken = (who: Client, body: FormData | string): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${who.token}` },
  body,
});

/** Waits until the documents service has received the events of the project and knows its members. */
async function waitUntilProjectIsKnown({
  actors,
  make,
}: {
  actors: Actors;
  make: { document(): Promise<string> };
}): Promise<void> {
  const document = await waitFor(async () => make.document().catch(() => undefined), {
    description: 'the documents service to know the project',
  });
  await waitFor(async () => (await actors.member.call('GET', `/documents/${document}`)).status === 200, {
    description: 'the member to have access to a document of the project',
  });
}
