import { authAudit, projectsAudit } from '@atrium/proto-events/events/audit';
import { passwordChanged, sessionRevoked } from '@atrium/proto-events/events/auth';
import { departmentUpdated, userDeleted, userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connection, createConnection } from 'mongoose';
import { someone, startNotifications } from './factories.ts';

let service: TestService;
let store: Connection;

beforeAll(async () => {
  ({ service } = await startNotifications());
  store = await createConnection(service.env.MONGO_URL ?? '').asPromise();
});
afterAll(async () => {
  await store?.close();
  await service?.close();
});

const recordsOf = (subjectId: string) => store.collection('activities').find({ subjectId }).toArray();

describe('the record of what matters to security', () => {
  it('has a sign-in that failed, once, with the address and what was typed as e-mail', async () => {
    const userId = newId();
    const failure = {
      action: 'sign-in.failed',
      outcome: 'failed' as const,
      userId,
      email: 'mia@example.org',
      address: '203.0.113.7',
    };
    await service.deliver(authAudit, failure, 2);
    const kept = await recordsOf(userId);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ type: 'security.sign-in.failed', title: '', details: failure });
  });

  it('has a failure of which nobody is known, and a refusal by what it was about', async () => {
    const address = '203.0.113.8';
    await service.deliver(authAudit, { action: 'sign-in.failed', outcome: 'failed', userId: null, address });
    expect(await store.collection('activities').countDocuments({ 'details.address': address })).toBe(1);
    const [userId, id] = [newId(), newId()];
    const refusal = { action: 'access.refused', outcome: 'refused' as const, userId, address, status: 403 };
    await service.deliver(projectsAudit, { ...refusal, route: '/projects/:id', target: { type: 'project', id } });
    expect(await recordsOf(id)).toMatchObject([
      { type: 'security.access.refused', actorId: null, resource: 'project' },
    ]);
  });

  it('has changes of a role, of a department, and sessions that ended, with who did it', async () => {
    const [person, admin] = [someone({ firstName: 'Mia', lastName: 'Member' }), someone({ role: 'admin' })];
    service.know(person, admin);
    const change = { userId: person._id, role: 'project_manager' as const, status: 'active' as const };
    await service.deliver(userUpdated, { ...change, version: 2, changed: ['role'] }, 2, admin._id);
    await service.deliver(sessionRevoked, { userId: person._id, sessionId: newId(), reason: 'logout' }, 1, person._id);
    expect(await recordsOf(person._id)).toMatchObject([
      { type: 'users.user.updated', actorId: admin._id, title: '', details: { changed: ['role'] } },
      { type: 'auth.session.revoked', actorId: person._id, details: { reason: 'logout' } },
    ]);
    const departmentId = newId();
    const renamed = { departmentId, name: 'Design', isActive: true, version: 2, changed: ['name'] };
    await service.deliver(departmentUpdated, renamed, 1, admin._id);
    expect(await recordsOf(departmentId)).toMatchObject([{ title: 'Design', details: { changed: ['name'] } }]);
  });
});

describe('the activity log', () => {
  const admin = someone({ role: 'admin' });
  const read = async (query = '') => {
    const { status, body } = await service.call('GET', `/activity${query}`, { as: admin });
    expect(status).toBe(200);
    return body as { data: Record<string, unknown>[]; total: number; totalPages: number };
  };
  beforeAll(() => service.know(admin));

  it('is read by administrators alone', async () => {
    for (const role of ['member', 'project_manager'] as const) {
      const person = someone({ role });
      service.know(person);
      expect((await service.call('GET', '/activity', { as: person })).body).toMatchObject({
        code: 'forbidden',
        message: 'Only administrators can read the activity log',
      });
    }
    expect((await service.call('GET', '/activity')).status).toBe(401);
  });

  it('lists what a user did and what was done to them, newest first, by kind and time, in pages', async () => {
    const person = someone({ firstName: 'Lea', lastName: 'Listed' });
    service.know(person);
    const userId = person._id;
    const address = '203.0.113.9';
    const failure = { action: 'sign-in.failed', outcome: 'failed' as const, userId, email: 'lea@example.org', address };
    await service.deliver(authAudit, failure, 1, userId);
    const change = { userId, role: 'admin' as const, status: 'active' as const, version: 2, changed: ['role'] };
    await service.deliver(userUpdated, change, 1, admin._id);
    await service.deliver(sessionRevoked, { userId, sessionId: newId(), reason: 'logout' }, 1, userId);
    const all = await read(`?user=${userId}`);
    expect(all).toMatchObject({ total: 3, totalPages: 1 });
    expect(all.data).toMatchObject([
      { action: 'auth.session.revoked', actor: { _id: userId }, changes: { reason: 'logout' } },
      {
        action: 'users.user.updated',
        actor: { _id: admin._id },
        target: { type: 'user', id: userId, title: 'Lea Listed' },
        changes: { role: 'admin', changed: ['role'] },
      },
      { action: 'security.sign-in.failed', outcome: 'failed', email: 'lea@example.org', address },
    ]);
    const kinds = async (kind: string) => (await read(`?user=${userId}&kind=${kind}`)).data.map(({ action }) => action);
    expect(await kinds('security')).toEqual(['security.sign-in.failed']);
    expect(await kinds('accounts')).toEqual(['auth.session.revoked']);
    expect(await kinds('users')).toEqual(['users.user.updated']);
    expect((await read(`?user=${userId}&to=2020-01-01`)).total).toBe(0);
    expect((await read(`?user=${userId}&from=2020-01-01T00:00:00Z`)).total).toBe(3);
    expect((await read(`?user=${userId}&limit=2&page=2`)).data).toHaveLength(1);
    expect((await service.call('GET', '/activity?kind=gossip', { as: admin })).status).toBe(400);
  });

  it('says of a merged record that it counts several addresses and accounts, and names none', async () => {
    const merged = { action: 'sign-in.failed', outcome: 'failed' as const, userId: null, address: null, count: 9 };
    await service.deliver(authAudit, { ...merged, various: ['userId', 'email', 'address'] });
    const [entry] = (await read('?kind=security&limit=1')).data;
    expect(entry).toMatchObject({ actor: null, address: null, count: 9, various: ['userId', 'email', 'address'] });
  });

  it('has a denial of its own service without NATS in between', async () => {
    const person = someone();
    service.know(person);
    expect((await service.call('GET', '/activity', { as: person })).status).toBe(403);
    const [denial] = await recordsOf(person._id);
    expect(denial).toMatchObject({ type: 'security.access.refused', details: { route: '/activity', status: 403 } });
  });

  it('keeps nothing that names a user once they are deleted, nor do mails to them', async () => {
    const person = someone({ firstName: 'Gone', lastName: 'Tomorrow', email: 'gone@example.org' });
    service.know(person);
    const userId = person._id;
    const facts = { userId, email: person.email, address: '203.0.113.10' };
    await service.deliver(authAudit, { action: 'sign-in.failed', outcome: 'failed', ...facts }, 1, userId);
    await service.deliver(passwordChanged, { userId, by: 'change', device: null, address: facts.address });
    const mails = () => store.collection('mails').find({ recipientId: userId }).toArray();
    await waitFor(async () => (await mails()).length === 1, { what: 'the mail about the new password' });
    service.know({ ...person, firstName: 'Deleted', lastName: 'user', email: '', deleted: true, version: 9 });
    await service.deliver(userDeleted, { userId, version: 9 }, 2, admin._id);
    const left = JSON.stringify([await recordsOf(userId), await mails()]);
    for (const trace of ['gone@example.org', 'Gone', 'Tomorrow', '203.0.113.10']) expect(left).not.toContain(trace);
    expect((await recordsOf(userId)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['security.sign-in.failed', 'auth.password.changed', 'users.user.deleted']),
    );
    const [mail] = await mails();
    expect(await store.collection('mailings').countDocuments({ _id: mail?.mailingId })).toBe(0);
  });
});
