import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  invitationRevoked,
} from '@atrium/proto-events/events/auth';
import { sessionsEnded, userDeactivated, userDeleted } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildInvitation,
  createMember,
  createRegisteredUser,
  getUser,
  startUsers,
  type TestUser,
  waitForDirectory,
} from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let admin: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin', firstName: 'Ada', lastName: 'Lovelace' });
});
afterAll(() => service.close());

const remove = (as: TestUser, id: string) => service.call('DELETE', `/users/${id}`, { as });
const patch = (as: TestUser, id: string, body: unknown) => service.call('PATCH', `/users/${id}`, { as, body });
const countFound = async (search: string) => {
  const { body } = await service.call('GET', `/users?search=${encodeURIComponent(search)}`, { as: admin });
  return (body as { total: number }).total;
};

describe('DELETE /users/:id', () => {
  it('writes a tombstone without personal data and ends the sessions', async () => {
    const user = await createMember(service, {
      firstName: 'Greta',
      lastName: 'Leaving',
      email: 'greta@gone.example',
    });
    await service.call('PATCH', '/users/profile', { as: user, body: { department: 'Sales', bio: 'Sells.' } });
    const token = await service.tokens.sign(user);
    const { status, body } = await remove(admin, user._id);
    expect(status).toBe(204);
    expect(body).toBe('');
    expect(service.running.directory.user(user._id)).toMatchObject({ deleted: true, version: 4 });
    expect((await service.call('GET', `/users/${user._id}`, { as: admin })).status).toBe(404);
    expect(await countFound('greta')).toBe(0);

    const deleted = await service.waitForEvent(userDeleted, ({ userId }) => userId === user._id);
    expect(deleted).toMatchObject({ actorId: admin._id, data: { version: 4 } });
    const ended = await service.waitForEvent(sessionsEnded, ({ userId }) => userId === user._id);
    expect(ended.data.reason).toBe('deleted');
    const deactivation = await service.waitForEvent(userDeactivated, ({ userId }) => userId === user._id);
    expect(deactivation).toMatchObject({ actorId: admin._id, data: { reason: 'deleted', version: 4 } });
    expect(await waitForDirectory(service, user._id, 4)).toMatchObject({
      deleted: true,
      email: '',
      status: 'inactive',
      departmentId: null,
      sessionsValidAfter: ended.data.validAfter,
    });
    expect(service.running.directory.summary(user._id)).toEqual({
      _id: user._id,
      firstName: 'Deleted',
      lastName: 'user',
      deleted: true,
    });
    const [row] = await service.query('select * from users where id = $1', [user._id]);
    expect(JSON.stringify(row)).not.toMatch(/greta|leaving|sells/i);
    const call = await fetch(`${service.url}/api/users/profile`, { headers: { authorization: `Bearer ${token}` } });
    expect(call.status).toBe(401);
  });

  it('frees the email for another user', async () => {
    const deletedUser = await createMember(service, { email: 'one@free.example' });
    await remove(admin, deletedUser._id);
    const registration = {
      userId: newId(),
      email: 'one@free.example',
      firstName: 'New',
      lastName: 'One',
      role: 'member' as const,
    };
    await service.deliver(accountRegistered, registration);
    expect(await countFound('one@free.example')).toBe(1);
  });

  it('rejects callers who are not administrators', async () => {
    const member = await createMember(service);
    const manager = await createMember(service, { role: 'project_manager' });
    for (const as of [member, manager]) {
      const { status, body } = await remove(as, admin._id);
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'forbidden', message: 'Only administrators can delete people' });
      expect((await remove(as, UNKNOWN)).status).toBe(404);
    }
    expect((await service.call('DELETE', `/users/${admin._id}`)).status).toBe(401);
    expect((await remove(admin, UNKNOWN)).status).toBe(404);
    expect((await remove(admin, 'nonsense')).status).toBe(404);
  });

  it('rejects deleting oneself, and responds with 404 the second time', async () => {
    const { status, body } = await remove(admin, admin._id);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'conflict', message: 'You cannot delete yourself' });
    const user = await createMember(service);
    expect((await remove(admin, user._id)).status).toBe(204);
    expect((await remove(admin, user._id)).status).toBe(404);
    expect((await patch(admin, user._id, { bio: 'Changed' })).status).toBe(404);
    const isAboutUser = ({ userId }: { userId: string }) => userId === user._id;
    await service.waitForEvent(userDeleted, isAboutUser);
    expect(service.countPublished(userDeleted, isAboutUser)).toBe(1);
  });
});

describe('the last active administrator', () => {
  const actions: [string, (as: TestUser, other: TestUser) => Promise<{ status: number }>][] = [
    ['demote', (as, other) => patch(as, other._id, { role: 'member' })],
    ['deactivate', (as, other) => patch(as, other._id, { status: 'inactive' })],
    ['delete', (as, other) => remove(as, other._id)],
  ];
  const pairs = actions.flatMap(([firstName, firstAction]) =>
    actions.map(([secondName, secondAction]) => [firstName, secondName, firstAction, secondAction] as const),
  );

  it.each(pairs)(
    'remains when two administrators concurrently %s and %s each other',
    async (_firstName, _secondName, firstAction, secondAction) => {
      for (let round = 0; round < 3; round += 1) {
        const other = await createRegisteredUser(service, { role: 'admin' });
        const statuses = (await Promise.all([firstAction(admin, other), secondAction(other, admin)])).map(
          ({ status }) => status,
        );
        expect(statuses.filter((status) => status < 300)).toHaveLength(1);
        // The administrator who lost the race may already be rejected as a caller.
        for (const status of statuses.filter((value) => value >= 300)) expect([401, 403, 409]).toContain(status);
        const remainingAdmins = await service.query(
          `select id from users where role = 'admin' and status = 'active' and deleted_at is null`,
        );
        expect(remainingAdmins).toHaveLength(1);
        if (remainingAdmins[0]?.id !== admin._id) admin = other;
      }
    },
  );

  it('cannot be deleted by an administrator who was just deactivated', async () => {
    const other = await createRegisteredUser(service, { role: 'admin' });
    const token = await service.tokens.sign(other);
    // Simulates a concurrent deactivation of the other administrator.
    await service.query(`update users set status = 'inactive' where id = $1`, [other._id]);
    const call = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } };
    const response = await fetch(`${service.url}/api/users/${admin._id}`, call);
    expect(response.status).toBe(401);
    expect(await getUser(service, admin, admin._id)).toMatchObject({ role: 'admin', status: 'active' });
  });
});

describe('on auth.invitation.revoked', () => {
  it('deletes the invited user once', async () => {
    const invitation = buildInvitation({ email: 'revoked@example.org' });
    const { userId, invitationId } = invitation;
    await service.deliver(invitationCreated, invitation);
    expect(await countFound('revoked@example.org')).toBe(1);
    await service.deliver(invitationRevoked, { invitationId, userId }, 2);
    expect(await countFound('revoked@example.org')).toBe(0);
    expect(await waitForDirectory(service, userId, 2)).toMatchObject({ deleted: true });
    await service.waitForEvent(userDeleted, (data) => data.userId === userId);
    await service.deliver(invitationRevoked, { invitationId, userId });
    await service.deliver(invitationCreated, invitation);
    await service.deliver(accountActivated, { userId });
    expect(await countFound('revoked@example.org')).toBe(0);
    expect(service.countPublished(userDeleted, (data) => data.userId === userId)).toBe(1);
  });

  it('ignores users who have accepted, and unknown users', async () => {
    const user = await createMember(service, { email: 'accepted@example.org' });
    await service.deliver(invitationRevoked, { invitationId: newId(), userId: user._id });
    await service.deliver(invitationRevoked, { invitationId: newId(), userId: newId() });
    expect(await countFound('accepted@example.org')).toBe(1);
  });
});
