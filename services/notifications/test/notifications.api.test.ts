import { attachmentSettled, documentShared } from '@atrium/proto-events/events/documents';
import { listChanged } from '@atrium/proto-events/events/notifications';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type People, someone, startNotifications } from './factories.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

type Listed = {
  data: { _id: string; kind: string; createdAt: string; readAt: string | null; subject: { title: string } }[];
  total: number;
  page: number;
  totalPages: number;
  unreadCount: number;
};

async function list(person: People[keyof People], query = ''): Promise<Listed> {
  const { status, body } = await service.call('GET', `/notifications${query}`, { as: person });
  expect(status).toBe(200);
  return body as Listed;
}

async function share(name: string, person: { _id: string }, times = 1) {
  const audience = { everyone: false, userIds: [person._id] };
  const document = { documentId: newId(), name, uploadedBy: people.admin._id, audience, version: 2, project: null };
  await service.deliver(documentShared, { ...document, sharedWith: [person._id] }, times, people.admin._id);
}

describe('GET /notifications', () => {
  it('lists what concerns the caller, newest first, each once', async () => {
    const reader = someone();
    service.know(reader);
    await share('First', reader, 2);
    await share('Second', reader, 2);
    const answer = await list(reader);
    expect(answer).toMatchObject({ total: 2, page: 1, totalPages: 1, unreadCount: 2 });
    expect(answer.data.map(({ subject }) => subject.title)).toEqual(['Second', 'First']);
    expect(answer.data[0]).toMatchObject({ kind: 'documents.document.shared', actor: { firstName: 'Ada' } });
  });

  it('is told to the browsers of those whom it is for, and to nobody else’s', async () => {
    const [reader, other] = [someone(), someone()];
    service.know(reader, other);
    const isOf = (person: { _id: string }) => (data: { personIds: string[] }) => data.personIds.includes(person._id);
    await share('Told', reader, 2);
    // Who does something themselves has no notification of it.
    await share('Their own', people.admin);
    await share('Told to another', other);
    const { data } = await service.published(listChanged, isOf(reader));
    expect(data).toEqual({ personIds: [reader._id], about: expect.stringMatching(/^[0-9a-f]{24}$/) });
    await service.published(listChanged, isOf(other));
    expect(service.countPublished(listChanged, isOf(people.admin))).toBe(0);
  });

  it('lists a file that was not saved once its call had been answered, with the reason', async () => {
    const reader = someone();
    service.know(reader);
    const settle = (name: string, outcome: { failure: string | null; isLate: boolean }) =>
      service.deliver(attachmentSettled, { documentId: newId(), savedBy: reader._id, name, ...outcome }, 2, reader._id);
    await settle('saved.txt', { failure: null, isLate: true });
    await settle('refused.txt', { failure: 'You have no room left.', isLate: false });
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

  it('gives a page at a time', async () => {
    const reader = someone();
    service.know(reader);
    for (const name of ['1', '2', '3']) await share(name, reader);
    const answer = await list(reader, '?page=2&limit=2');
    expect(answer).toMatchObject({ total: 3, page: 2, totalPages: 2 });
    expect(answer.data.map(({ subject }) => subject.title)).toEqual(['1']);
  });

  it('shows nobody what concerns another', async () => {
    await share('Secret', people.member);
    expect((await list(people.other)).total).toBe(0);
  });

  it('refuses a page too far, and the anonymous', async () => {
    expect((await service.call('GET', '/notifications?limit=100&page=101', { as: people.member })).status).toBe(400);
    expect((await service.call('GET', '/notifications')).status).toBe(401);
  });

  it('tells the security log of a token that has expired', async () => {
    const token = await service.tokens.sign(people.member, { issuedAt: Date.now() - 3_600_000 });
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.call('GET', '/notifications', { headers })).status).toBe(401);
    const activity = await service.call('GET', `/activity?user=${people.member._id}`, { as: people.admin });
    const denial = { action: 'security.token.refused', method: 'GET', route: '/notifications', status: 401 };
    expect(activity.body).toMatchObject({ data: [denial] });
  });
});

describe('POST /notifications/read', () => {
  it('marks what was there at that moment and leaves what came later', async () => {
    const reader = someone();
    service.know(reader);
    await share('Seen', reader);
    const until = (await list(reader)).data[0]?.createdAt ?? '';
    await share('Later', reader);
    const { status, body } = await service.call('POST', '/notifications/read', { as: reader, body: { until } });
    expect({ status, body }).toEqual({ status: 200, body: { updatedCount: 1 } });
    const after = await list(reader);
    expect(after.unreadCount).toBe(1);
    expect(after.data.map(({ readAt }) => readAt !== null)).toEqual([false, true]);
    const again = await service.call('POST', '/notifications/read', { as: reader, body: { until } });
    expect(again.body).toEqual({ updatedCount: 0 });
  });

  it('marks those alone that it names, and tells the browsers of who read them', async () => {
    const [reader, other] = [someone(), someone()];
    service.know(reader, other);
    await share('One', reader);
    await share('Two', reader);
    await share('Of another', other);
    const [latest, first] = (await list(reader)).data;
    const until = latest?.createdAt ?? '';
    const ids = [first?._id, (await list(other)).data[0]?._id];
    const isRead = ({ about }: { about: string }) => about === reader._id;
    expect(service.countPublished(listChanged, isRead)).toBe(0);
    const { status, body } = await service.call('POST', '/notifications/read', { as: reader, body: { until, ids } });
    expect({ status, body }).toEqual({ status: 200, body: { updatedCount: 1 } });
    expect((await list(reader)).data.map(({ readAt }) => readAt !== null)).toEqual([false, true]);
    expect((await list(other)).unreadCount).toBe(1);
    expect((await service.published(listChanged, isRead)).data.personIds).toEqual([reader._id]);
    const none = await service.call('POST', '/notifications/read', { as: reader, body: { until, ids } });
    expect(none.body).toEqual({ updatedCount: 0 });
  });

  it('refuses what is no moment, and the anonymous', async () => {
    const wrong = await service.call('POST', '/notifications/read', { as: people.member, body: { until: 'now' } });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.until' }] });
    const many = { until: new Date().toISOString(), ids: Array.from({ length: 101 }, String) };
    const tooMany = await service.call('POST', '/notifications/read', { as: people.member, body: many });
    expect(tooMany.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.ids' }] });
    const missing = await service.call('POST', '/notifications/read', { as: people.member, body: {} });
    expect(missing.status).toBe(400);
    expect((await service.call('POST', '/notifications/read', { body: {} })).status).toBe(401);
  });

  it('refuses what is not JSON, too large, or of another media type', async () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      service.call('POST', '/notifications/read', { as: people.member, body, headers });
    expect((await send('{"until":')).body).toMatchObject({ code: 'invalid_json' });
    expect((await send(JSON.stringify({ until: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await send('until=now', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});
