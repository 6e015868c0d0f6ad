import { authAudit, projectsAudit } from '@atrium/proto-events/events/audit';
import { passwordChanged, sessionRevoked } from '@atrium/proto-events/events/auth';
import { departmentUpdated, userDeleted, userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { buildUniqueUser } from './factories.ts';
import { startWithStore } from './start-with-store.ts';

let service: TestService;
let store: Connection;

beforeAll(async () => {
  ({ service, store } = await startWithStore());
});
afterAll(() => service?.close());

const findRecords = (subjectId: string) => store.collection('activities').find({ subjectId }).toArray();

describe('the security log', () => {
  it('records a failed sign-in once, with IP address and the entered email address', async () => {
    const userId = newId();
    const failure = {
      action: 'sign-in.failed',
      outcome: 'failed' as const,
      userId,
      email: 'mia@example.org',
      address: '203.0.113.7',
    };
    await service.deliver(authAudit, failure, 2);
    const records = await findRecords(userId);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ type: 'security.sign-in.failed', title: '', details: failure });
  });

  it('records failures without a user, and denials with their target', async () => {
    const address = '203.0.113.8';
    await service.deliver(authAudit, { action: 'sign-in.failed', outcome: 'failed', userId: null, address });
    expect(await store.collection('activities').countDocuments({ 'details.address': address })).toBe(1);
    const userId = newId();
    const id = newId();
    const denial = { action: 'access.denied', outcome: 'denied' as const, userId, address, status: 403 };
    await service.deliver(projectsAudit, { ...denial, route: '/projects/:id', target: { type: 'project', id } });
    expect(await findRecords(id)).toMatchObject([
      { type: 'security.access.denied', actorId: null, resource: 'project' },
    ]);
  });

  it('records role changes, department changes, and ended sessions with their actor', async () => {
    const user = buildUniqueUser({ firstName: 'Mia', lastName: 'Member' });
    const admin = buildUniqueUser({ role: 'admin' });
    service.addToDirectory(user, admin);
    const change = { userId: user._id, role: 'project_manager' as const, status: 'active' as const };
    await service.deliver(userUpdated, { ...change, version: 2, changed: ['role'] }, 2, admin._id);
    await service.deliver(sessionRevoked, { userId: user._id, sessionId: newId(), reason: 'logout' }, 1, user._id);
    expect(await findRecords(user._id)).toMatchObject([
      { type: 'users.user.updated', actorId: admin._id, title: '', details: { changed: ['role'] } },
      { type: 'auth.session.revoked', actorId: user._id, details: { reason: 'logout' } },
    ]);
    const departmentId = newId();
    const departmentChange = { departmentId, name: 'Design', isActive: true, version: 2, changed: ['name'] };
    await service.deliver(departmentUpdated, departmentChange, 1, admin._id);
    expect(await findRecords(departmentId)).toMatchObject([{ title: 'Design', details: { changed: ['name'] } }]);
  });

  it('does not record how many tasks a user has completed', async () => {
    const userId = newId();
    const change = { userId, role: 'member' as const, status: 'active' as const, version: 2 };
    await service.deliver(userUpdated, { ...change, changed: ['tasksCompleted'] });
    await service.deliver(userUpdated, { ...change, changed: ['skills'] });
    expect(await findRecords(userId)).toMatchObject([{ details: { changed: ['skills'] } }]);
  });
});

describe('the activity log', () => {
  const admin = buildUniqueUser({ role: 'admin' });
  const readActivity = async (query = '') => {
    const { status, body } = await service.call('GET', `/activity${query}`, { as: admin });
    expect(status).toBe(200);
    return body as { data: Record<string, unknown>[]; total: number; totalPages: number };
  };
  beforeAll(() => service.addToDirectory(admin));

  it('is readable by administrators only', async () => {
    for (const role of ['member', 'project_manager'] as const) {
      const user = buildUniqueUser({ role });
      service.addToDirectory(user);
      expect((await service.call('GET', '/activity', { as: user })).body).toMatchObject({
        code: 'forbidden',
        message: 'Only administrators can read the activity log',
      });
    }
    expect((await service.call('GET', '/activity')).status).toBe(401);
  });

  it('lists what a user did and what was done to them, newest first, by kind and time, in pages', async () => {
    const user = buildUniqueUser({ firstName: 'Lea', lastName: 'Listed' });
    service.addToDirectory(user);
    const userId = user._id;
    const address = '203.0.113.9';
    const failure = { action: 'sign-in.failed', outcome: 'failed' as const, userId, email: 'lea@example.org', address };
    await service.deliver(authAudit, failure, 1, userId);
    const change = { userId, role: 'admin' as const, status: 'active' as const, version: 2, changed: ['role'] };
    await service.deliver(userUpdated, change, 1, admin._id);
    await service.deliver(sessionRevoked, { userId, sessionId: newId(), reason: 'logout' }, 1, userId);
    const page = await readActivity(`?user=${userId}`);
    expect(page).toMatchObject({ total: 3, totalPages: 1 });
    expect(page.data).toMatchObject([
      { action: 'auth.session.revoked', actor: { _id: userId }, changes: { reason: 'logout' } },
      {
        action: 'users.user.updated',
        actor: { _id: admin._id },
        target: { type: 'user', id: userId, title: 'Lea Listed' },
        changes: { role: 'admin', changed: ['role'] },
      },
      { action: 'security.sign-in.failed', outcome: 'failed', email: 'lea@example.org', address },
    ]);
    const listActions = async (kind: string) =>
      (await readActivity(`?user=${userId}&kind=${kind}`)).data.map(({ action }) => action);
    expect(await listActions('security')).toEqual(['security.sign-in.failed']);
    expect(await listActions('accounts')).toEqual(['auth.session.revoked']);
    expect(await listActions('users')).toEqual(['users.user.updated']);
    expect((await readActivity(`?user=${userId}&to=2020-01-01`)).total).toBe(0);
    expect((await readActivity(`?user=${userId}&from=2020-01-01T00:00:00Z`)).total).toBe(3);
    expect((await readActivity(`?user=${userId}&limit=2&page=2`)).data).toHaveLength(1);
    expect((await service.call('GET', '/activity?kind=gossip', { as: admin })).status).toBe(400);
  });

  it('counts as many entries of each day as it lists', async () => {
    const timezone = 'Asia/Kathmandu';
    const user = buildUniqueUser();
    const address = '203.0.113.9';
    const failure = { action: 'sign-in.failed', outcome: 'failed' as const, userId: user._id, address };
    await service.deliver(authAudit, failure, 1, user._id);
    const { body } = await service.call('GET', `/activity/history?days=2&timezone=${timezone}`, { as: admin });
    const { days } = body as { days: { day: string; count: number }[] };
    expect(days).toHaveLength(2);
    for (const { day, count } of days) {
      const from = new Date(`${day}T00:00:00+05:45`);
      const to = new Date(from.getTime() + 24 * 60 * 60_000);
      const { total } = await readActivity(`?from=${from.toISOString()}&to=${to.toISOString()}`);
      expect(total).toBe(count);
    }
    expect(days.at(-1)?.count).toBeGreaterThan(0);
    service.addToDirectory(user);
    expect((await service.call('GET', '/activity/history', { as: user })).status).toBe(403);
    expect((await service.call('GET', '/activity/history?timezone=Mars', { as: admin })).status).toBe(400);
    expect((await service.call('GET', '/activity/history')).status).toBe(401);
  });

  it('reports merged records as counts of addresses and accounts, without naming any', async () => {
    const mergedRecord = {
      action: 'sign-in.failed',
      outcome: 'failed' as const,
      userId: null,
      address: null,
      count: 9,
    };
    await service.deliver(authAudit, { ...mergedRecord, various: ['userId', 'email', 'address'] });
    const [entry] = (await readActivity('?kind=security&limit=1')).data;
    expect(entry).toMatchObject({ actor: null, address: null, count: 9, various: ['userId', 'email', 'address'] });
  });

  it('records a denial of the notifications service itself without NATS', async () => {
    const user = buildUniqueUser();
    service.addToDirectory(user);
    expect((await service.call('GET', '/activity', { as: user })).status).toBe(403);
    const [denial] = await findRecords(user._id);
    expect(denial).toMatchObject({ type: 'security.access.denied', details: { route: '/activity', status: 403 } });
  });

  it('contains no personal data of deleted users, and neither do their emails', async () => {
    const user = buildUniqueUser({ firstName: 'Gone', lastName: 'Tomorrow', email: 'gone@example.org' });
    service.addToDirectory(user);
    const userId = user._id;
    const personalData = { userId, email: user.email, address: '203.0.113.10' };
    await service.deliver(authAudit, { action: 'sign-in.failed', outcome: 'failed', ...personalData }, 1, userId);
    await service.deliver(passwordChanged, { userId, by: 'change', device: null, address: personalData.address });
    const findEmails = () => store.collection('mails').find({ recipientId: userId }).toArray();
    await waitFor(async () => (await findEmails()).length === 1, { description: 'the password email' });
    service.addToDirectory({ ...user, firstName: 'Deleted', lastName: 'user', email: '', deleted: true, version: 9 });
    await service.deliver(userDeleted, { userId, version: 9 }, 2, admin._id);
    const remainingData = JSON.stringify([await findRecords(userId), await findEmails()]);
    for (const trace of ['gone@example.org', 'Gone', 'Tomorrow', '203.0.113.10'])
      expect(remainingData).not.toContain(trace);
    expect((await findRecords(userId)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['security.sign-in.failed', 'auth.password.changed', 'users.user.deleted']),
    );
  });
});
