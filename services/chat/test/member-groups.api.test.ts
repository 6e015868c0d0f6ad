import { projectDeleted } from '@atrium/proto-events/events/projects';
import { departmentDeleted } from '@atrium/proto-events/events/users';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { callChannel, createChannel, readChannel } from './channels.ts';
import { createDirect, type People, send } from './factories.ts';
import { changeUser, createDepartment, expectParticipants } from './member-groups.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type User = People[As];

const add = (as: As, channel: string, { _id }: { _id: string }, fields: object = {}) =>
  callChannel(people[as], 'POST', `${channel}/groups`, { type: 'department', id: _id, ...fields });
const change = (as: As, channel: string, { _id }: { _id: string }, required: boolean) =>
  callChannel(people[as], 'PATCH', `${channel}/groups/department/${_id}`, { required });
const remove = (as: As, channel: string, { _id }: { _id: string }, type = 'department') =>
  callChannel(people[as], 'DELETE', `${channel}/groups/${type}/${_id}`);
const expectIn = (channel: string, ...users: User[]) =>
  expectParticipants(service, channel, [people.member, people.ben, ...users]);

/** Creates a channel with a department of two users. */
async function createChannelOfTwo() {
  const channel = await createChannel();
  const design = createDepartment(service, 'Design', [{}, {}]);
  const [first, second] = design.users;
  if (!first || !second) throw new Error('Too few users');
  await add('member', channel, design);
  await expectIn(channel, first, second);
  return { channel, design, first, second };
}

/** Creates a channel with a user of the design department. Members of the sales department could not leave it. */
async function createChannelThatRequiresSales() {
  const channel = await createChannel();
  const [design, sales] = [createDepartment(service, 'Design', [{}]), createDepartment(service, 'Sales')];
  const [user] = design.users;
  if (!user) throw new Error('Too few users');
  await add('member', channel, design);
  await add('admin', channel, sales, { required: true });
  await expectIn(channel, user);
  return { channel, design, sales, user };
}

function createProject(memberIds: string[]) {
  const project = {
    ...{ _id: newId(), name: 'Apollo', managerId: people.manager._id, memberIds, deleted: false, version: 1 },
  };
  service.addProjects(project);
  return project;
}

describe('a department in a channel', () => {
  it('has its members as participants, who start without unread messages', async () => {
    const channel = await createChannel();
    await send(service, people.member, channel, 'before');
    const design = createDepartment(service, 'Design', [
      {},
      {},
      { status: 'inactive' },
      { departmentSelfAssigned: true },
    ]);
    const [first, second] = design.users;
    if (!first || !second) throw new Error('Too few users');
    const socket = await connectChat(service, first);
    const { status, body } = await add('member', channel, design);
    const group = { type: 'department', _id: design._id, name: 'Design', required: false };
    expect([status, (body as Conversation).memberGroups]).toEqual([200, [group]]);
    await expectIn(channel, first, second);
    await socket.receives('conversation:new', ({ conversation }) => conversation._id === channel);
    const conversation = await readChannel(first, channel);
    expect(conversation).toMatchObject({ unreadCount: 0, participantCount: 4, memberGroups: [group] });
    expect(conversation.abilities).toMatchObject({ leave: true, manageGroups: false, requireGroups: false });
    await send(service, people.member, channel, 'after');
    await socket.receives('message:new', ({ message }) => message.content === 'after');
    expect((await readChannel(first, channel)).unreadCount).toBe(1);
    expect((await callChannel(people.stranger, 'GET', channel)).status).toBe(404);
  });

  it('follows users who move, are deactivated, and are activated', async () => {
    const channel = await createChannel();
    const [design, sales] = [createDepartment(service, 'Design', [{}]), createDepartment(service, 'Sales')];
    const [user] = design.users;
    if (!user) throw new Error('Too few users');
    await add('member', channel, design);
    await expectIn(channel, user);
    const socket = await connectChat(service, user);
    const away = changeUser(service, user, { departmentId: sales._id });
    await socket.receives('conversation:participant_removed', ({ removedUserId }) => removedUserId === user._id);
    await expectIn(channel);
    expect((await callChannel(user, 'GET', channel)).status).toBe(404);
    const there = changeUser(service, away, { departmentId: design._id });
    changeUser(service, changeUser(service, there, { departmentId: sales._id }), { departmentId: design._id });
    // An older version that arrives late changes nothing.
    service.addToDirectory(away);
    await expectIn(channel, user);
    const inactive = changeUser(service, { ...user, version: 5 }, { status: 'inactive' });
    await expectIn(channel);
    changeUser(service, inactive, { status: 'active' });
    await expectIn(channel, user);
  });

  it('leaves users in the channel who were also added, and those of another group', async () => {
    const channel = await createChannel();
    const design = createDepartment(service, 'Design', [{}, {}, {}]);
    const [added, inProject, neither] = design.users;
    if (!added || !inProject || !neither) throw new Error('Too few users');
    const project = createProject([inProject._id]);
    await add('member', channel, design);
    await add('member', channel, project, { type: 'project' });
    await expectIn(channel, added, inProject, neither, people.manager);
    await callChannel(people.member, 'POST', `${channel}/participants`, { userId: added._id });
    expect((await remove('member', channel, design)).status).toBe(204);
    await expectIn(channel, added, inProject, people.manager);
    service.addProjects({ ...project, memberIds: [neither._id], version: 2 });
    await expectIn(channel, added, neither, people.manager);
    await service.deliver(projectDeleted, { projectId: project._id, name: project.name });
    service.addProjects({ ...project, deleted: true, version: 3 });
    await expectIn(channel, added);
    expect((await readChannel(people.member, channel)).memberGroups).toEqual([]);
  });

  it('is completed if the pod stopped while it was added', async () => {
    const channel = await createChannel();
    const design = createDepartment(service, 'Design', [{}, {}]);
    await add('member', channel, design);
    await expectIn(channel, ...design.users);
    // As after a batch: some members are missing, and the row of the job remains.
    await service.query('delete from participants where conversation_id = $1 and user_id = $2', [
      channel,
      design.users[0]?._id,
    ]);
    await service.query('insert into member_syncs (conversation_id) values ($1)', [channel]);
    await expectIn(channel, ...design.users);
    expect((await readChannel(people.member, channel)).participantCount).toBe(4);
  });

  it('disappears when it is deleted', async () => {
    const channel = await createChannel();
    const design = createDepartment(service, 'Design');
    await add('member', channel, design);
    const socket = await connectChat(service, people.ben);
    const data = { departmentId: design._id, name: 'Design', isActive: false, version: 2 };
    await service.deliver(departmentDeleted, data, 2);
    await socket.receives('conversation:updated', ({ conversation }) => conversation.memberGroups.length === 0);
    expect((await readChannel(people.member, channel)).memberGroups).toEqual([]);
    service.running.directory.putDepartment({ _id: design._id, name: 'Design', isActive: false, version: 2 });
    expect((await add('member', channel, design)).status).toBe(400);
  });

  it('can be left, until it is added again', async () => {
    const { channel, design, first, second } = await createChannelOfTwo();
    expect((await callChannel(first, 'POST', `${channel}/leave`)).status).toBe(204);
    expect((await callChannel(people.member, 'DELETE', `${channel}/participants/${second._id}`)).status).toBe(204);
    const third = changeUser(service, people.cleo, { departmentId: design._id });
    await expectIn(channel, third);
    changeUser(service, first, { firstName: 'Renamed' });
    await remove('member', channel, design);
    await expectIn(channel);
    await add('member', channel, design);
    await expectIn(channel, first, second, third);
    changeUser(service, third, { departmentId: null });
  });

  it('that requires the channel cannot be left', async () => {
    const { channel, design, first, second } = await createChannelOfTwo();
    await callChannel(second, 'POST', `${channel}/leave`);
    await expectIn(channel, first);
    const socket = await connectChat(service, first);
    expect((await change('admin', channel, design, true)).body).toMatchObject({ memberGroups: [{ required: true }] });
    const update = await socket.receives('conversation:updated', ({ conversation: { memberGroups } }) =>
      memberGroups.some(({ required }) => required),
    );
    expect(update.personal?.abilities.leave).toBe(false);
    await expectIn(channel, first, second);
    expect(await callChannel(first, 'POST', `${channel}/leave`)).toMatchObject({
      status: 409,
      body: { message: 'This channel is required for your department or project, so you cannot leave it' },
    });
    expect((await callChannel(people.member, 'DELETE', `${channel}/participants/${first._id}`)).status).toBe(409);
    expect((await readChannel(people.ben, channel)).abilities.leave).toBe(true);
    const { body } = await callChannel(people.member, 'GET', `${channel}/participants?search=${first.lastName}`);
    expect(body).toMatchObject({ data: [{ user: { _id: first._id }, byGroup: true, removable: false }], total: 1 });
    expect((await remove('member', channel, design)).status).toBe(403);
    expect((await change('admin', channel, design, false)).status).toBe(200);
    expect((await callChannel(first, 'POST', `${channel}/leave`)).status).toBe(204);
  });

  it('that requires the channel changes what a participant can do who moves there, and away again', async () => {
    const { channel, design, sales, user } = await createChannelThatRequiresSales();
    await callChannel(people.member, 'POST', `${channel}/participants`, { userId: user._id });
    const [socket, other] = [await connectChat(service, user), await connectChat(service, people.ben)];
    const receiveLeave = (canLeave: boolean) =>
      socket.receives(
        'conversation:updated',
        ({ conversation, personal }) => conversation._id === channel && personal?.abilities.leave === canLeave,
      );
    const moved = changeUser(service, user, { departmentId: sales._id });
    await receiveLeave(false);
    expect((await readChannel(user, channel)).abilities.leave).toBe(false);
    changeUser(service, moved, { departmentId: design._id });
    await receiveLeave(true);
    expect(other.all('conversation:updated').filter(({ personal }) => personal)).toEqual([]);
  });

  it('that requires the channel includes a new member who had left with another department', async () => {
    const { channel, sales, user } = await createChannelThatRequiresSales();
    expect((await callChannel(user, 'POST', `${channel}/leave`)).status).toBe(204);
    await expectIn(channel);
    changeUser(service, user, { departmentId: sales._id });
    await expectIn(channel, user);
  });
});

describe('the members of a channel', () => {
  it('are added although those of another channel cannot be', async () => {
    const [failing, other] = [await createChannel(), await createChannel()];
    const design = createDepartment(service, 'Design', [{}]);
    const [user] = design.users;
    if (!user) throw new Error('Too few users');
    await service.query(`create function reject_participant() returns trigger language plpgsql as $$
      begin raise exception 'rejected'; end $$`);
    await service.query(`create trigger reject before insert on participants
      for each row when (new.by_rule and new.conversation_id = '${failing}') execute function reject_participant()`);
    await add('member', failing, design);
    await add('member', other, design);
    await expectIn(other, user);
    await service.query('drop trigger reject on participants');
    await expectIn(failing, user);
  });
});

describe('changes of the groups of a channel', () => {
  it('are for its creator and administrators, and requiring it for administrators', async () => {
    const channel = await createChannel();
    const design = createDepartment(service, 'Design');
    expect((await add('ben', channel, design)).status).toBe(403);
    expect((await add('stranger', channel, design)).status).toBe(404);
    expect((await add('member', channel, design, { required: true })).status).toBe(403);
    expect((await add('member', newId(), design)).status).toBe(404);
    expect((await add('member', channel, { _id: newId() })).status).toBe(400);
    expect((await add('member', channel, { _id: newId() }, { type: 'project' })).status).toBe(400);
    expect((await add('member', channel, design, { type: 'team' })).status).toBe(400);
    for (const as of ['stranger', 'ben'] as const) {
      const expected = as === 'ben' ? 403 : 404;
      expect((await change(as, channel, design, true)).status).toBe(expected);
      expect((await remove(as, channel, design)).status).toBe(expected);
    }
    expect((await change('admin', channel, design, true)).status).toBe(404);
    expect((await remove('member', channel, design)).status).toBe(404);
    expect((await add('admin', channel, design, { required: true })).status).toBe(200);
    expect((await add('member', channel, design)).status).toBe(403);
    expect((await change('member', channel, design, false)).status).toBe(403);
    expect((await remove('admin', channel, design, 'project')).status).toBe(404);
    expect((await readChannel(people.member, channel)).abilities).toMatchObject({
      manageGroups: true,
      requireGroups: false,
    });
    const path = `/chat/conversations/${channel}/groups`;
    expect((await service.call('POST', path, { body: {} })).status).toBe(401);
    expect((await service.call('PATCH', `${path}/department/${design._id}`, { body: {} })).status).toBe(401);
    expect((await service.call('DELETE', `${path}/department/${design._id}`)).status).toBe(401);
    expect((await callChannel(people.admin, 'PATCH', `${channel}/groups/department/${design._id}`, {})).status).toBe(
      400,
    );
  });

  it('do not exist in direct conversations', async () => {
    const direct = (await createDirect(service, people.member, people.ben))._id;
    const design = createDepartment(service, 'Design');
    expect((await add('member', direct, design)).status).toBe(409);
    expect((await change('member', direct, design, true)).status).toBe(409);
    expect((await remove('member', direct, design)).status).toBe(409);
  });

  it('can be made when it is created', async () => {
    const design = createDepartment(service, 'Design', [{}]);
    const create = (as: As, fields: object) =>
      service.call('POST', '/chat/conversations', {
        as: people[as],
        body: { type: 'group', title: 'new', memberGroups: [{ type: 'department', _id: design._id, ...fields }] },
      });
    expect((await create('ben', { required: true })).status).toBe(403);
    expect((await create('ben', { _id: newId() })).status).toBe(400);
    const { status, body } = await create('ben', {});
    expect(status).toBe(201);
    await expectParticipants(service, (body as Conversation)._id, [people.ben, ...design.users]);
  });
});
