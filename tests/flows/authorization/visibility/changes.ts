import { waitFor } from '@atrium/test-kit/wait-for';
import { does } from './actors.ts';
import { markOf } from './kinds.ts';
import { anotherSession, failedSignIn, idOf, say, type World } from './visibility-fixture.ts';

type Versioned = { _id: string; version: number };

/** Takes people out of everything, and things away; what comes after is not for them. */
export async function takeOut(world: World): Promise<void> {
  const { admin, manager, member, former, deactivated, guest, uploader } = world.actors;
  const id = (kind: Parameters<typeof idOf>[1]) => idOf(world, kind);
  await does(admin, ['PATCH', `/users/${deactivated.id}`, { status: 'inactive' }]);
  await untilDeparted(world);
  await does(manager, ['DELETE', `/projects/${id('project')}/team-members/${former.id}`], 204);
  const group = `/chat/conversations/${id('conversation group')}`;
  await does(manager, ['DELETE', `${group}/participants/${former.id}`], 204);
  const single = await does<Versioned>(manager, ['PATCH', `/meetings/${id('meeting')}`, { participants: [member.id] }]);
  world.lost.set(single._id, single.version);
  await does(manager, ['PATCH', `/meetings/${id('date of a series')}?scope=all`, { participants: [member.id] }]);
  const alone = { participants: [member.id, guest.id] };
  await does(manager, ['PATCH', `/meetings/${id('date with a guest')}?scope=this`, alone]);
  const shared = id('document shared');
  await does(uploader, ['DELETE', `/documents/${shared}/share`, { userIds: [former.id] }], 204);
  await does(admin, ['PATCH', `/users/${former.id}`, { department: null }]);
  await does(member, ['DELETE', `/tasks/${id('deleted task')}`], 204);
  await does(manager, ['DELETE', `/meetings/${id('cancelled meeting')}`], 204);
  await does(uploader, ['DELETE', `/documents/${id('deleted document')}`], 204);
  for (const one of [id('deleted message'), world.deletedFile])
    await does(member, ['DELETE', `/chat/messages/${one}`], 204);
  await untilOut(world);
}

type Listing = { teamMembers?: { _id: string }[]; participants?: { _id: string }[] };

/** Deactivation removes a user from teams, meetings, and groups; what follows counts versions. */
async function untilDeparted(world: World): Promise<void> {
  const { manager, member, deactivated } = world.actors;
  for (const [who, path] of [
    [manager, `/projects/${idOf(world, 'project')}`],
    [manager, `/meetings/${idOf(world, 'meeting')}`],
    [manager, `/meetings/${idOf(world, 'date of a series')}`],
    [manager, `/meetings/${idOf(world, 'date with a guest')}`],
    [manager, `/meetings/${idOf(world, 'cancelled meeting')}`],
    [member, `/chat/conversations/${idOf(world, 'conversation group')}`],
    [member, `/chat/conversations/${idOf(world, 'conversation project')}`],
  ] as const)
    await waitFor(
      async () => {
        const { teamMembers = [], participants = [] } = await does<Listing>(who, ['GET', path]);
        return ![...teamMembers, ...participants].some(({ _id }) => _id === deactivated.id);
      },
      { what: `the deactivated user to leave ${path}` },
    );
}

/** Chat and documents hear of the project's people by its event. */
async function untilOut(world: World): Promise<void> {
  const { former, manager, member, uploader } = world.actors;
  for (const path of [
    `/chat/conversations/${idOf(world, 'conversation project')}`,
    `/documents/${idOf(world, 'document team')}`,
    `/documents/${idOf(world, 'document of a project’s people')}`,
    `/documents/${idOf(world, 'document of a department')}`,
  ])
    await waitFor(async () => (await former.call('GET', path)).status === 404, { what: `${path} to be lost` });
  const versions = [
    [member, `/chat/conversations/${idOf(world, 'conversation project')}`],
    [member, `/chat/conversations/${idOf(world, 'conversation group')}`],
    [manager, `/meetings/${idOf(world, 'date of a series')}`],
    [manager, `/meetings/${idOf(world, 'date with a guest')}`],
    [uploader, `/documents/${idOf(world, 'document shared')}`],
    [uploader, `/documents/${idOf(world, 'document of a project’s people')}`],
    [uploader, `/documents/${idOf(world, 'document of a department')}`],
    [manager, `/documents/${idOf(world, 'document team')}`],
  ] as const;
  for (const [who, path] of versions) {
    const { _id, version } = await does<Versioned>(who, ['GET', path]);
    world.lost.set(_id, version);
  }
}

/** Changes everything there is, with a mark of its own, and says something everywhere. */
export async function changeAll(world: World): Promise<void> {
  const { admin, manager, member, stranger, uploader, sharedWith } = world.actors;
  const id = (kind: Parameters<typeof idOf>[1]) => idOf(world, kind);
  const mark = (kind: Parameters<typeof idOf>[1]) => markOf(kind, 'b');
  await does(stranger, ['PATCH', '/users/profile', { bio: mark('user'), lastName: mark('user') }]);
  await does(admin, ['PATCH', `/departments/${id('department')}`, { name: mark('department') }]);
  const path = `/auth/invites/${id('invitation')}/resend`;
  const { inviteUrl } = await does<{ inviteUrl: string }>(admin, ['POST', path], 200);
  world.things.push({ kind: 'link of an invitation', id: new URL(inviteUrl).searchParams.get('token') ?? '' });
  const reset = await does<{ resetUrl: string }>(admin, ['POST', `/users/${stranger.id}/reset-link`], 200);
  world.things.push({ kind: 'link of a reset', id: new URL(reset.resetUrl).searchParams.get('token') ?? '' });
  await anotherSession(world);
  await does(manager, ['PATCH', `/projects/${id('project')}`, { name: mark('project') }]);
  await does(member, ['PATCH', `/tasks/${id('task')}`, { title: mark('task'), status: 'review' }]);
  // Its creator is notified of that.
  await does(manager, ['POST', `/tasks/${id('task')}/comments`, { comment: mark('comment') }]);
  await does(manager, ['PATCH', `/meetings/${id('meeting')}`, { title: mark('meeting'), location: mark('meeting') }]);
  await does(admin, ['PATCH', `/meetings/rooms/${id('room')}`, { name: mark('room') }]);
  const own = { notes: mark('date of a series') };
  await does(manager, ['PATCH', `/meetings/${id('date of a series')}?scope=this`, own]);
  const shared = { title: mark('date with a guest'), location: mark('date with a guest') };
  await does(manager, ['PATCH', `/meetings/${id('date with a guest')}?scope=this`, shared]);
  for (const kind of [
    'private',
    'shared',
    'of a department',
    'of a project’s people',
    'team, of no project',
    'public',
  ] as const)
    await does(uploader, ['PATCH', `/documents/${id(`document ${kind}`)}`, { description: mark(`document ${kind}`) }]);
  await does(manager, ['PATCH', `/documents/${id('document team')}`, { description: mark('document team') }]);
  const document = `/documents/${id('document shared')}`;
  await does(uploader, ['PATCH', document, { name: mark('document shared') }]);
  await does(uploader, ['DELETE', `${document}/share`, { userIds: [sharedWith.id] }], 204);
  await does(uploader, ['POST', `${document}/share`, { userIds: [sharedWith.id] }], 200);
  for (const type of ['group', 'project'] as const) {
    const title = { title: mark(`conversation ${type}`) };
    await does(manager, ['PATCH', `/chat/conversations/${id(`conversation ${type}`)}`, title]);
  }
  for (const type of ['direct', 'group', 'project'] as const) await say(world, type, 'b');
  await failedSignIn(world, 'b');
}

/** Whoever was told of a meeting has a notice of it, which is nobody else's. */
export async function noteNotices(world: World): Promise<void> {
  const { data } = await does<{ data: { _id: string }[] }>(world.actors.member, ['GET', '/notifications?limit=100']);
  for (const { _id } of data) world.things.push({ kind: 'notification', id: _id });
}
