import { authAudit, projectsAudit } from '@atrium/proto-events/events/audit';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { departmentUpdated, userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
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
    expect(kept[0]).toMatchObject({ type: 'security.sign-in.failed', title: 'mia@example.org', details: failure });
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
      { type: 'users.user.updated', actorId: admin._id, title: 'Mia Member', details: { changed: ['role'] } },
      { type: 'auth.session.revoked', actorId: person._id, details: { reason: 'logout' } },
    ]);
    const departmentId = newId();
    const renamed = { departmentId, name: 'Design', isActive: true, version: 2, changed: ['name'] };
    await service.deliver(departmentUpdated, renamed, 1, admin._id);
    expect(await recordsOf(departmentId)).toMatchObject([{ title: 'Design', details: { changed: ['name'] } }]);
  });
});
