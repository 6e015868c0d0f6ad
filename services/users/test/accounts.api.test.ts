import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  sessionStarted,
} from '@atrium/proto-events/events/auth';
import { userCreated, userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/service/start-service';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usersService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import {
  buildInvitation,
  createRegisteredUser,
  getUser,
  startUsers,
  type TestUser,
  waitForDirectory,
} from './factories.ts';

const DESIGN = '000000000000000000000d02';
let service: TestService;
let admin: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin', firstName: 'Ada', lastName: 'Lovelace' });
});
afterAll(() => service.close());

describe('on auth.account.registered', () => {
  it('creates an active user once', async () => {
    const userId = newId();
    const user = { userId, email: 'rita@example.org', firstName: 'Rita', lastName: 'New', role: 'member' as const };
    await service.deliver(accountRegistered, user, 2);
    const event = await service.waitForEvent(userCreated, (data) => data.userId === userId);
    const createdUser = await getUser(service, admin, userId);
    expect(createdUser).toMatchObject({
      firstName: 'Rita',
      status: 'active',
      invited: false,
      timezone: 'UTC',
      lastLogin: null,
      department: null,
    });
    const { lastLogin, ...item } = createdUser;
    expect(event.data).toEqual({
      userId,
      role: 'member',
      status: 'active',
      version: 1,
      invited: false,
      user: item,
    });
    expect(await waitForDirectory(service, userId)).toMatchObject({ firstName: 'Rita', status: 'active', version: 1 });
    await service.deliver(accountRegistered, { ...user, firstName: 'Late' });
    expect((await getUser(service, admin, userId)).firstName).toBe('Rita');
    expect(service.countPublished(userCreated, (data) => data.userId === userId)).toBe(1);
  });
});

describe('on auth.invitation.created', () => {
  it('creates the invited user as inactive', async () => {
    const invitation = buildInvitation({ departmentId: DESIGN, role: 'project_manager' });
    await service.deliver(invitationCreated, invitation, 2);
    const event = await service.waitForEvent(userCreated, (data) => data.userId === invitation.userId);
    expect(event.data).toMatchObject({ invited: true, status: 'inactive', role: 'project_manager', version: 1 });
    expect(await getUser(service, admin, invitation.userId)).toMatchObject({
      invited: true,
      status: 'inactive',
      department: { _id: DESIGN, name: 'Design' },
      version: 1,
    });
  });

  it('keeps edits of the user when the invitation is resent', async () => {
    const invitation = buildInvitation({ role: 'project_manager', departmentId: DESIGN });
    const { userId } = invitation;
    await service.deliver(invitationCreated, invitation);
    const body = { firstName: 'Corrected', role: 'member', department: null };
    await service.call('PATCH', `/users/${userId}`, { as: admin, body });
    await service.deliver(invitationCreated, invitation, 2);
    const editedFields = { firstName: 'Corrected', role: 'member', department: null, version: 2, invited: true };
    expect(await getUser(service, admin, userId)).toMatchObject(editedFields);
    await service.deliver(accountActivated, { userId });
    await service.deliver(invitationCreated, invitation);
    const acceptedFields = { firstName: 'Corrected', role: 'member', status: 'active', version: 3 };
    expect(await getUser(service, admin, userId)).toMatchObject(acceptedFields);
    await service.waitForEvent(userUpdated, (data) => data.userId === userId && data.version === 3);
    expect(service.countPublished(userCreated, (data) => data.userId === userId)).toBe(1);
    expect(service.countPublished(userUpdated, (data) => data.userId === userId)).toBe(2);
  });

  it('handles a resent invitation whose department no longer exists', async () => {
    const invitation = buildInvitation({ departmentId: DESIGN });
    await service.deliver(invitationCreated, invitation);
    await service.deliver(invitationCreated, { ...invitation, departmentId: 'e'.repeat(24) });
    await service.deliver(accountActivated, { userId: invitation.userId });
    const user = await getUser(service, admin, invitation.userId);
    expect(user).toMatchObject({ status: 'active', department: { _id: DESIGN }, version: 2 });
  });

  it('creates the user without a department if the department does not exist', async () => {
    const invitation = buildInvitation({ departmentId: 'e'.repeat(24) });
    await service.deliver(invitationCreated, invitation);
    expect((await getUser(service, admin, invitation.userId)).department).toBeNull();
  });
});

describe('on auth.account.activated', () => {
  it('activates the user with the profile they entered', async () => {
    const invitation = buildInvitation();
    const { userId } = invitation;
    await service.deliver(invitationCreated, invitation);
    await service.deliver(accountActivated, { userId, phone: '+4915112345678', location: 'Hamburg' }, 2);
    const user = await getUser(service, admin, userId);
    expect(user).toMatchObject({
      status: 'active',
      invited: false,
      phone: '+4915112345678',
      location: 'Hamburg',
      version: 2,
    });
    const event = await service.waitForEvent(userUpdated, (data) => data.userId === userId);
    expect(event.data).toMatchObject({ status: 'active', version: 2 });
    expect(event.data.changed).toEqual(expect.arrayContaining(['status', 'invited', 'phone', 'location', 'joinDate']));
    expect(await waitForDirectory(service, userId, 2)).toMatchObject({ status: 'active' });
  });

  it('ignores a redelivery after the user was deactivated', async () => {
    const invitation = buildInvitation();
    const { userId } = invitation;
    await service.deliver(invitationCreated, invitation);
    await service.deliver(accountActivated, { userId });
    await service.call('PATCH', `/users/${userId}`, { as: admin, body: { status: 'inactive' } });
    await service.deliver(accountActivated, { userId });
    expect((await getUser(service, admin, userId)).status).toBe('inactive');
  });
});

describe('on auth.session.started', () => {
  it('records the latest sign-in only, without a new version of the user', async () => {
    const user = await createRegisteredUser(service);
    const at = '2026-11-20T09:30:00.000Z';
    await service.deliver(sessionStarted, { userId: user._id, sessionId: newId(), at }, 2);
    await service.deliver(sessionStarted, { userId: user._id, sessionId: newId(), at: '2026-11-19T09:30:00.000Z' });
    expect(await getUser(service, admin, user._id)).toMatchObject({ lastLogin: at, version: 1 });
  });
});

describe('the directory', () => {
  it('contains the default departments after the first start', async () => {
    const department = await waitFor(() => service.running.directory.department(DESIGN), { description: 'Design' });
    expect(department).toEqual({ _id: DESIGN, name: 'Design', isActive: true, version: 1 });
  });

  it('receives missing and outdated entries on the next start, even more than one page of them', async () => {
    await service.query(`insert into users (id, email, first_name, last_name, role, status, join_date)
       select lpad(to_hex(n), 24, '0'), 'restored' || n || '@example.org', 'Restored', 'Person', 'member', 'active', now()
       from generate_series(1, 1500) n`);
    const changedUser = await createRegisteredUser(service);
    await service.query(`update users set first_name = 'Restored', version = 7 where id = $1`, [changedUser._id]);
    const secondPod = await startService(usersService, readConfig(service.env), service.overrides);
    try {
      expect(await waitForDirectory(service, changedUser._id, 7)).toMatchObject({ firstName: 'Restored' });
      await waitFor(
        () => [...secondPod.directory.users()].filter(({ email }) => email.startsWith('restored')).length === 1500,
        { description: '1,500 users in the directory' },
      );
    } finally {
      await secondPod.close();
      await service.query(`delete from users where email like 'restored%'`);
    }
  });
});
