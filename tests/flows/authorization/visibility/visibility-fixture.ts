import { waitFor } from '@atrium/test-kit/wait-for';
import { buildInvitation, buildProject, tokenIn, uploadForm } from '../../../workspace/builders.ts';
import { type Client, PASSWORD, send, signIn } from '../../../workspace/workspace.ts';
import { type Actors, callAs } from './actors.ts';
import { makeConversations } from './chat-fixture.ts';
import { type CreatedResource, idOf, markFields, recordItem, type VisibilityFixture } from './fixture-resources.ts';
import { getMark, type KindName } from './kinds.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
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
