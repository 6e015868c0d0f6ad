import { waitFor } from '@atrium/test-kit/wait-for';
import { tokenIn } from '../../../workspace/builders.ts';
import { callAs } from './actors.ts';
import { postMessages } from './chat-fixture.ts';
import { idOf, type VisibilityFixture } from './fixture-resources.ts';
import { getMark } from './kinds.ts';
import { addSession, failSignIn } from './visibility-fixture.ts';

type Versioned = { _id: string; version: number };

/** Removes users from all resources, and deletes some resources. Later changes must not reach the removed users. */
export async function removeUsers(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, member, former, deactivated, guest, uploader } = fixture.actors;
  const id = (kind: Parameters<typeof idOf>[1]) => idOf(fixture, kind);
  await callAs(admin, ['PATCH', `/users/${deactivated.id}`, { status: 'inactive' }]);
  await waitUntilDeactivatedIsRemoved(fixture);
  await callAs(manager, ['DELETE', `/projects/${id('project')}/team-members/${former.id}`], 204);
  const group = `/chat/conversations/${id('conversation group')}`;
  await callAs(manager, ['DELETE', `${group}/participants/${former.id}`], 204);
  const meeting = await callAs<Versioned>(manager, [
    'PATCH',
    `/meetings/${id('meeting')}`,
    { participants: [member.id] },
  ]);
  fixture.versionsAtRemoval.set(meeting._id, meeting.version);
  await callAs(manager, ['PATCH', `/meetings/${id('occurrence')}?scope=all`, { participants: [member.id] }]);
  const remainingParticipants = { participants: [member.id, guest.id] };
  await callAs(manager, ['PATCH', `/meetings/${id('occurrence with a guest')}?scope=this`, remainingParticipants]);
  const sharedDocument = id('document shared');
  await callAs(uploader, ['DELETE', `/documents/${sharedDocument}/share`, { userIds: [former.id] }], 204);
  await callAs(admin, ['PATCH', `/users/${former.id}`, { department: null }]);
  await callAs(member, ['DELETE', `/tasks/${id('deleted task')}`], 204);
  await callAs(manager, ['DELETE', `/meetings/${id('canceled meeting')}`], 204);
  await callAs(uploader, ['DELETE', `/documents/${id('deleted document')}`], 204);
  for (const messageId of [id('deleted message'), fixture.deletedFileMessageId])
    await callAs(member, ['DELETE', `/chat/messages/${messageId}`], 204);
  await waitUntilAccessLost(fixture);
}

type WithUsers = { teamMembers?: { _id: string }[]; participants?: { _id: string }[] };

/** Waits until the deactivated user is removed from teams, meetings, and groups, which changes their versions. */
async function waitUntilDeactivatedIsRemoved(fixture: VisibilityFixture): Promise<void> {
  const { manager, member, deactivated } = fixture.actors;
  for (const [who, path] of [
    [manager, `/projects/${idOf(fixture, 'project')}`],
    [manager, `/meetings/${idOf(fixture, 'meeting')}`],
    [manager, `/meetings/${idOf(fixture, 'occurrence')}`],
    [manager, `/meetings/${idOf(fixture, 'occurrence with a guest')}`],
    [manager, `/meetings/${idOf(fixture, 'canceled meeting')}`],
    [member, `/chat/conversations/${idOf(fixture, 'conversation group')}`],
    [member, `/chat/conversations/${idOf(fixture, 'conversation project')}`],
  ] as const)
    await waitFor(
      async () => {
        const { teamMembers = [], participants = [] } = await callAs<WithUsers>(who, ['GET', path]);
        return ![...teamMembers, ...participants].some(({ _id }) => _id === deactivated.id);
      },
      { description: `the deactivated user to leave ${path}` },
    );
}

/** Waits until chat and documents have received the removal of `former`, and records the versions at that time. */
async function waitUntilAccessLost(fixture: VisibilityFixture): Promise<void> {
  const { former, manager, member, uploader } = fixture.actors;
  for (const path of [
    `/chat/conversations/${idOf(fixture, 'conversation project')}`,
    `/chat/conversations/${idOf(fixture, 'conversation of a department')}`,
    `/documents/${idOf(fixture, 'document team')}`,
    `/documents/${idOf(fixture, 'document of project members')}`,
    `/documents/${idOf(fixture, 'document of a department')}`,
  ])
    await waitFor(async () => (await former.call('GET', path)).status === 404, {
      description: `${path} to be inaccessible`,
    });
  const isDocument = ({ subject }: { subject: { resource: string } }) => subject.resource === 'document';
  await waitFor(
    async () => {
      const { data } = await callAs<{ data: { subject: { resource: string } }[] }>(former, [
        'GET',
        '/notifications?limit=100',
      ]);
      return !data.some(isDocument);
    },
    { description: 'the notifications of documents to be withdrawn' },
  );
  const versions = [
    [member, `/chat/conversations/${idOf(fixture, 'conversation project')}`],
    [member, `/chat/conversations/${idOf(fixture, 'conversation group')}`],
    [manager, `/chat/conversations/${idOf(fixture, 'conversation of a department')}`],
    [manager, `/meetings/${idOf(fixture, 'occurrence')}`],
    [manager, `/meetings/${idOf(fixture, 'occurrence with a guest')}`],
    [uploader, `/documents/${idOf(fixture, 'document shared')}`],
    [uploader, `/documents/${idOf(fixture, 'document of project members')}`],
    [uploader, `/documents/${idOf(fixture, 'document of a department')}`],
    [manager, `/documents/${idOf(fixture, 'document team')}`],
  ] as const;
  for (const [who, path] of versions) {
    const { _id, version } = await callAs<Versioned>(who, ['GET', path]);
    fixture.versionsAtRemoval.set(_id, version);
  }
}

/** Changes every resource to a new mark, and sends a message to every conversation. */
export async function changeAll(fixture: VisibilityFixture): Promise<void> {
  const { admin, manager, member, stranger, uploader, sharedWith } = fixture.actors;
  const id = (kind: Parameters<typeof idOf>[1]) => idOf(fixture, kind);
  const mark = (kind: Parameters<typeof idOf>[1]) => getMark(kind, 'b');
  await callAs(stranger, ['PATCH', '/users/profile', { bio: mark('user'), lastName: mark('user') }]);
  await callAs(admin, ['PATCH', `/departments/${id('department')}`, { name: mark('department') }]);
  const path = `/auth/invites/${id('invitation')}/resend`;
  const { inviteUrl } = await callAs<{ inviteUrl: string }>(admin, ['POST', path], 200);
  fixture.resources.push({ kind: 'invitation link', id: tokenIn(inviteUrl) });
  const reset = await callAs<{ resetUrl: string }>(admin, ['POST', `/users/${stranger.id}/reset-link`], 200);
  fixture.resources.push({ kind: 'password reset link', id: tokenIn(reset.resetUrl) });
  await addSession(fixture);
  await callAs(manager, ['PATCH', `/projects/${id('project')}`, { name: mark('project') }]);
  await callAs(member, ['PATCH', `/tasks/${id('task')}`, { title: mark('task'), status: 'review' }]);
  // A comment notifies the creator of the task.
  await callAs(manager, ['POST', `/tasks/${id('task')}/comments`, { comment: mark('comment') }]);
  await callAs(manager, ['PATCH', `/meetings/${id('meeting')}`, { title: mark('meeting'), location: mark('meeting') }]);
  await callAs(admin, ['PATCH', `/meetings/rooms/${id('room')}`, { name: mark('room') }]);
  const occurrenceNotes = { notes: mark('occurrence') };
  await callAs(manager, ['PATCH', `/meetings/${id('occurrence')}?scope=this`, occurrenceNotes]);
  const guestFields = { title: mark('occurrence with a guest'), location: mark('occurrence with a guest') };
  await callAs(manager, ['PATCH', `/meetings/${id('occurrence with a guest')}?scope=this`, guestFields]);
  for (const kind of [
    'private',
    'shared',
    'of a department',
    'of project members',
    'team without project',
    'public',
  ] as const)
    await callAs(uploader, [
      'PATCH',
      `/documents/${id(`document ${kind}`)}`,
      { description: mark(`document ${kind}`) },
    ]);
  await callAs(manager, ['PATCH', `/documents/${id('document team')}`, { description: mark('document team') }]);
  const document = `/documents/${id('document shared')}`;
  await callAs(uploader, ['PATCH', document, { name: mark('document shared') }]);
  await callAs(uploader, ['DELETE', `${document}/share`, { userIds: [sharedWith.id] }], 204);
  await callAs(uploader, ['POST', `${document}/share`, { userIds: [sharedWith.id] }], 200);
  for (const type of ['group', 'project', 'of a department'] as const) {
    const title = { title: mark(`conversation ${type}`) };
    await callAs(manager, ['PATCH', `/chat/conversations/${id(`conversation ${type}`)}`, title]);
  }
  for (const type of ['direct', 'group', 'project'] as const) await postMessages(fixture, type, 'b');
  await failSignIn(fixture, 'b');
}

/** Records the notifications of `member`, which are private. */
export async function recordNotifications(fixture: VisibilityFixture): Promise<void> {
  const { data } = await callAs<{ data: { _id: string }[] }>(fixture.actors.member, [
    'GET',
    '/notifications?limit=100',
  ]);
  for (const { _id } of data) fixture.resources.push({ kind: 'notification', id: _id });
}
