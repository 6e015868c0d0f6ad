import { reminderDue } from '@atrium/proto-events/events/chat';
import {
  attachmentSettled,
  documentAccessChanged,
  documentDeleted,
  documentShared,
  documentUpdated,
} from '@atrium/proto-events/events/documents';
import { notificationChanged } from '@atrium/proto-events/events/notifications';
import { userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildUniqueUser, startNotifications, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
});
afterAll(() => service.close());

type Listed = {
  data: { _id: string; kind: string; createdAt: string; readAt: string | null; subject: { title: string } }[];
  total: number;
  page: number;
  totalPages: number;
  unreadCount: number;
};

async function list(user: TestUsers[keyof TestUsers], query = ''): Promise<Listed> {
  const { status, body } = await service.call('GET', `/notifications${query}`, { as: user });
  expect(status).toBe(200);
  return body as Listed;
}

async function share(name: string, user: { _id: string }, times = 1) {
  const audience = { everyone: false, userIds: [user._id] };
  const document = { documentId: newId(), name, uploadedBy: users.admin._id, audience, version: 2, project: null };
  await service.deliver(documentShared, { ...document, sharedWith: [user._id] }, times, users.admin._id);
}

describe('a document', () => {
  const department = newId();

  type Shares = { readers: { _id: string }[]; projects?: string[]; departments?: string[] };

  async function shareWith({ readers, projects = [], departments = [] }: Shares) {
    const userIds = readers.map(({ _id }) => _id);
    const document = {
      ...{ documentId: newId(), name: 'Plan', uploadedBy: users.admin._id, version: 2, project: null },
      audience: { everyone: false, userIds },
    };
    const groups = {
      ...(projects.length > 0 && { sharedWithProjects: projects }),
      ...(departments.length > 0 && { sharedWithDepartments: departments }),
    };
    await service.deliver(documentShared, { ...document, sharedWith: userIds, ...groups }, 1, users.admin._id);
    return document;
  }

  const createReaders = () => {
    const readers = {
      direct: buildUniqueUser(),
      colleague: buildUniqueUser({ departmentId: department }),
      selfAssigned: buildUniqueUser({ departmentId: department, departmentSelfAssigned: true }),
      admin: buildUniqueUser({ role: 'admin' }),
      former: buildUniqueUser(),
    };
    service.addToDirectory(...Object.values(readers));
    return readers;
  };

  const listNotified = async (readers: Record<string, TestUsers['admin']>) => {
    const notified = await Promise.all(
      Object.entries(readers).map(async ([name, user]) => ((await list(user)).total > 0 ? [name] : [])),
    );
    return notified.flat();
  };

  it('withdraws the notifications of those who can no longer read it', async () => {
    const readers = createReaders();
    const document = await shareWith({ readers: Object.values(readers) });
    await service.deliver(documentUpdated, { ...document, changed: ['name'] });
    expect(await listNotified(readers)).toEqual(Object.keys(readers));
    const currentAudience = { everyone: false, userIds: [readers.direct._id], departmentIds: [department] };
    await service.deliver(documentUpdated, { ...document, changed: ['sharedWith'], currentAudience }, 2);
    expect(await listNotified(readers)).toEqual(['direct', 'colleague', 'admin']);
    await service.deliver(documentDeleted, document, 2);
    expect(await listNotified(readers)).toEqual([]);
  });

  it('withdraws the notifications of those who left a project that it was shared with', async () => {
    const { direct, former } = createReaders();
    const project = newId();
    await shareWith({ readers: [direct, former], projects: [project] });
    await shareWith({ readers: [former] });
    await service.deliver(documentAccessChanged, { projectId: project, addedIds: [], removedIds: [former._id] }, 2);
    expect([(await list(direct)).total, (await list(former)).total]).toEqual([1, 1]);
  });

  it('withdraws the notifications of those who left a department that it was shared with', async () => {
    const { colleague } = createReaders();
    await shareWith({ readers: [colleague], departments: [department] });
    await shareWith({ readers: [colleague] });
    const change = async (fields: Partial<TestUsers['admin']>, version: number) => {
      service.addToDirectory({ ...colleague, ...fields, version });
      const { _id: userId, role, status } = colleague;
      await service.deliver(userUpdated, { userId, role, status, version, changed: ['department'] }, 2);
      return (await list(colleague)).total;
    };
    expect(await change({}, colleague.version + 1)).toBe(2);
    expect(await change({ departmentId: newId() }, colleague.version + 2)).toBe(1);
  });
});

describe('GET /notifications', () => {
  it('lists the caller’s notifications, newest first, each once', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    await share('First', reader, 2);
    await share('Second', reader, 2);
    const page = await list(reader);
    expect(page).toMatchObject({ total: 2, page: 1, totalPages: 1, unreadCount: 2 });
    expect(page.data.map(({ subject }) => subject.title)).toEqual(['Second', 'First']);
    expect(page.data[0]).toMatchObject({ kind: 'documents.document.shared', actor: { firstName: 'Ada' } });
  });

  it('publishes changes to the affected users only', async () => {
    const reader = buildUniqueUser();
    const other = buildUniqueUser();
    service.addToDirectory(reader, other);
    const affects = (user: { _id: string }) => (data: { personIds: string[] }) => data.personIds.includes(user._id);
    await share('For the reader', reader, 2);
    // Users are not notified of their own actions.
    await share('Their own', users.admin);
    await share('Shared with someone else', other);
    const { data } = await service.waitForEvent(notificationChanged, affects(reader));
    expect(data).toEqual({ personIds: [reader._id], about: expect.stringMatching(/^[0-9a-f]{24}$/) });
    await service.waitForEvent(notificationChanged, affects(other));
    expect(service.countPublished(notificationChanged, affects(users.admin))).toBe(0);
  });

  it('lists a failed attachment save that finished after its request, with the reason', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    const settle = (name: string, outcome: { failure: string | null; isLate: boolean }) =>
      service.deliver(attachmentSettled, { documentId: newId(), savedBy: reader._id, name, ...outcome }, 2, reader._id);
    await settle('saved.txt', { failure: null, isLate: true });
    await settle('rejected.txt', { failure: 'You have no room left.', isLate: false });
    await settle('lost.txt', { failure: 'The file is no longer in storage.', isLate: true });
    const { data } = await list(reader);
    expect(data).toMatchObject([
      {
        kind: 'documents.attachment.failed',
        actor: null,
        subject: { title: 'lost.txt' },
        reason: 'The file is no longer in storage.',
      },
    ]);
  });

  it('lists a reminder of a message with its place, once, and without its text', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    const ids = { userId: reader._id, conversationId: newId(), messageId: newId() };
    await service.deliver(reminderDue, { ...ids, seq: 4 }, 2);
    const replyIds = { ...ids, messageId: newId(), rootId: newId() };
    await service.deliver(reminderDue, { ...replyIds, seq: 2 });
    const place = { conversation: ids.conversationId, seq: 4 };
    expect((await list(reader)).data).toMatchObject([
      { subject: { id: replyIds.messageId, place: { ...place, seq: 2, thread: replyIds.rootId } } },
      {
        kind: 'chat.reminder.due',
        actor: null,
        subject: { resource: 'message', id: ids.messageId, title: '', place },
        readAt: null,
      },
    ]);
  });

  it('returns pages', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    for (const name of ['1', '2', '3']) await share(name, reader);
    const page = await list(reader, '?page=2&limit=2');
    expect(page).toMatchObject({ total: 3, page: 2, totalPages: 2 });
    expect(page.data.map(({ subject }) => subject.title)).toEqual(['1']);
  });

  it('does not list notifications of other users', async () => {
    await share('Secret', users.member);
    expect((await list(users.other)).total).toBe(0);
  });

  it('rejects out-of-range pages and anonymous requests', async () => {
    expect((await service.call('GET', '/notifications?limit=100&page=101', { as: users.member })).status).toBe(400);
    expect((await service.call('GET', '/notifications')).status).toBe(401);
  });

  it('records an expired token in the security log', async () => {
    const token = await service.tokens.sign(users.member, { issuedAt: Date.now() - 3_600_000 });
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.call('GET', '/notifications', { headers })).status).toBe(401);
    const activity = await service.call('GET', `/activity?user=${users.member._id}`, { as: users.admin });
    const denial = { action: 'security.token.rejected', method: 'GET', route: '/notifications', status: 401 };
    expect(activity.body).toMatchObject({ data: [denial] });
  });
});

describe('POST /notifications/read', () => {
  it('marks notifications up to the given time as read, but not later ones', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    await share('Seen', reader);
    const before = (await list(reader)).data[0]?.createdAt ?? '';
    await share('Later', reader);
    const { status, body } = await service.call('POST', '/notifications/read', { as: reader, body: { before } });
    expect({ status, body }).toEqual({ status: 200, body: { updatedCount: 1 } });
    const pageAfter = await list(reader);
    expect(pageAfter.unreadCount).toBe(1);
    expect(pageAfter.data.map(({ readAt }) => readAt !== null)).toEqual([false, true]);
    const retry = await service.call('POST', '/notifications/read', { as: reader, body: { before } });
    expect(retry.body).toEqual({ updatedCount: 0 });
  });

  it('marks only the given ids and publishes that to the caller’s browsers', async () => {
    const reader = buildUniqueUser();
    const other = buildUniqueUser();
    service.addToDirectory(reader, other);
    await share('One', reader);
    await share('Two', reader);
    await share('Shared with someone else', other);
    const [latestNotification, firstNotification] = (await list(reader)).data;
    const before = latestNotification?.createdAt ?? '';
    const ids = [firstNotification?._id, (await list(other)).data[0]?._id];
    const concernsReader = ({ about }: { about: string }) => about === reader._id;
    expect(service.countPublished(notificationChanged, concernsReader)).toBe(0);
    const { status, body } = await service.call('POST', '/notifications/read', { as: reader, body: { before, ids } });
    expect({ status, body }).toEqual({ status: 200, body: { updatedCount: 1 } });
    expect((await list(reader)).data.map(({ readAt }) => readAt !== null)).toEqual([false, true]);
    expect((await list(other)).unreadCount).toBe(1);
    expect((await service.waitForEvent(notificationChanged, concernsReader)).data.personIds).toEqual([reader._id]);
    const retry = await service.call('POST', '/notifications/read', { as: reader, body: { before, ids } });
    expect(retry.body).toEqual({ updatedCount: 0 });
  });

  it('rejects invalid times and anonymous requests', async () => {
    const invalidTime = await service.call('POST', '/notifications/read', {
      as: users.member,
      body: { before: 'now' },
    });
    expect(invalidTime.status).toBe(400);
    expect(invalidTime.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.before' }] });
    const bodyWithTooManyIds = { before: new Date().toISOString(), ids: Array.from({ length: 101 }, String) };
    const tooMany = await service.call('POST', '/notifications/read', { as: users.member, body: bodyWithTooManyIds });
    expect(tooMany.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.ids' }] });
    const missing = await service.call('POST', '/notifications/read', { as: users.member, body: {} });
    expect(missing.status).toBe(400);
    expect((await service.call('POST', '/notifications/read', { body: {} })).status).toBe(401);
  });

  it('rejects malformed JSON, oversized bodies, and other media types', async () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      service.call('POST', '/notifications/read', { as: users.member, body, headers });
    expect((await send('{"before":')).body).toMatchObject({ code: 'invalid_json' });
    expect((await send(JSON.stringify({ before: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await send('before=now', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});
