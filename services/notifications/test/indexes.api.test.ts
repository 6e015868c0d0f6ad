import { documentShared } from '@atrium/proto-events/events/documents';
import { newId } from '@atrium/service-kit/process/new-id';
import { fakeClockInEachTest } from '@atrium/test-kit/fake-clock';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendDigests } from '../src/digests/send-digests.ts';
import { rescheduleEmails } from '../src/email/reschedule-emails.ts';
import { documentHandlers } from '../src/handlers/on-document-events.ts';
import { rescheduleDigests } from '../src/notifications/schedule-digests.ts';
import { withdrawText } from '../src/notifications/withdrawn-text.ts';
import { buildUniqueUser } from './factories.ts';
import { listQueries, listUnindexed } from './indexed-queries.ts';
import { setTime, startScenario } from './scenario.ts';

let scenario: Awaited<ReturnType<typeof startScenario>>;

beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());
fakeClockInEachTest();

/** One record per user, or only those that are due soon, which FerretDB may scan. */
const SMALL_COLLECTIONS = ['visits', 'digests'];

it('notifications of several users, their digests, and their emails are found by indexes', async () => {
  const { deps, commands } = scenario;
  const { store, directory } = deps;
  const channels = { document_shared: { app: true, push: false, email: 'digest' } } as const;
  const readers = [1, 2].map(() => buildUniqueUser({ preferences: { notices: { channels } } }));
  for (const user of readers) directory.putUser(user);
  const sharedWith = readers.map(({ _id }) => _id);
  const [documentId, actorId] = [newId(), newId()];
  const groups = { sharedWithProjects: [newId(), newId()], sharedWithDepartments: [newId(), newId()] };
  const audience = { everyone: false, userIds: sharedWith, departmentIds: groups.sharedWithDepartments };
  const document = { documentId, name: 'Plan', uploadedBy: actorId, audience, version: 2, project: null };
  const data = { ...document, sharedWith, ...groups };
  commands.length = 0;
  for (const time of ['10:00:00', '10:01:00', '10:02:00']) {
    setTime(time);
    const id = newId();
    for (const _ of ['first', 'redelivered'])
      await scenario.handle(documentHandlers(deps), { event: documentShared, data, actorId, id });
  }
  for (const user of readers) {
    await rescheduleDigests(store, user);
    await rescheduleEmails(store, user);
  }
  setTime('23:00:00', '2026-12-07');
  await sendDigests(deps);
  await scenario.deliverDue();
  await withdrawText(store, { event: { id: newId(), occurredAt: new Date().toISOString() }, messageId: newId() });
  const emails = await Promise.all(readers.map(scenario.listEmails));
  expect(emails.flat()).toHaveLength(2);
  const checked = commands.filter((command) =>
    listQueries(command).every(({ collection }) => !SMALL_COLLECTIONS.includes(collection)),
  );
  expect(await listUnindexed(store, checked)).toEqual([]);
});
