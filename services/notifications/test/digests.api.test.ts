import type { EmailChoice } from '@atrium/proto-events/notices/kinds';
import type { ChosenNotices } from '@atrium/proto-events/notices/settings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Deps } from '../src/deps.ts';
import { sendDigests } from '../src/digests/send-digests.ts';
import { queueEmails } from '../src/email/queue-emails.ts';
import { notifyUsers } from '../src/notifications/notify-users.ts';
import { createStore } from '../src/store/store.ts';
import { buildUniqueUser } from './factories.ts';

let deps: Deps;

beforeAll(async () => {
  const store = createStore(await testMongo('digests'), createLogger('test', 'silent'));
  await store.indexed;
  const directory = createDirectory();
  directory.confirm();
  deps = {
    store,
    directory,
    notificationPublisher: { publish: async () => undefined, publishInBackground: () => undefined },
    recordVisit: () => undefined,
    queueEmails: (mailing) => queueEmails(store, mailing),
    senderAddress: 'atrium@example.org',
    pushSettings: { keys: [], hosts: [], subject: '' },
  };
});
afterAll(() => deps.store.close());

// Only the wall clock is faked: the store is a real one.
const ALL_BUT_THE_CLOCK = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];
beforeEach(() => void jest.useFakeTimers({ doNotFake: [...ALL_BUT_THE_CLOCK] }));
afterEach(() => void jest.useRealTimers());

/** Sets the time of a day in UTC, which is the time zone of the users. */
const setTime = (time: string, day = '2026-11-30') => void jest.setSystemTime(new Date(`${day}T${time}Z`));

function createUser(email: EmailChoice, notices: ChosenNotices = {}): DirectoryUser {
  const channels = { document_shared: { app: true, push: false, email } };
  const user = buildUniqueUser({ preferences: { notices: { channels, ...notices } } });
  deps.directory.putUser(user);
  return user;
}

/** Handles an event, a redelivered one if it has been handled before. */
async function share(user: DirectoryUser, { documentId = newId(), eventId = newId(), at = new Date() } = {}) {
  await notifyUsers(deps, {
    event: { id: eventId, actorId: null, occurredAt: at.toISOString() },
    kind: 'documents.document.shared',
    notice: { kind: 'document_shared', reason: 'reader' },
    subject: { resource: 'document', id: documentId, title: 'Plan.pdf' },
    userIds: [user._id],
  });
  return { documentId, eventId, at };
}

const read = ({ documentId }: { documentId: string }) =>
  deps.store.notifications.updateMany({ subjectId: documentId }, { $set: { read: true } });

/** What is queued for a user: `notice` about one notification, or `digest` about several. */
const listEmails = async (user: DirectoryUser) => {
  const emails = await deps.store.emails.find({ recipientId: user._id }).sort({ createdAt: 1 }).lean();
  return emails.map(({ kind }) => kind);
};

describe('a digest', () => {
  it('is sent if its time passes before it is stored', async () => {
    const user = createUser('immediate');
    setTime('12:00:59.980');
    const shared = await share(user);
    // The pod ends before it stores the digest, and the event is redelivered later.
    await deps.store.digests.deleteMany({ userId: user._id });
    setTime('12:02:00');
    await share(user, shared);
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['notice']);
    expect(await deps.store.digests.countDocuments({ userId: user._id })).toBe(0);
  });

  it('is not sent again if an event is redelivered after it', async () => {
    const user = createUser('immediate');
    setTime('12:00:30');
    const shared = [];
    for (let n = 0; n < 5; n += 1) shared.push(await share(user));
    setTime('12:01:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['digest']);
    for (const item of shared.slice(0, 3)) await read(item);
    for (const item of shared) await share(user, item);
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['digest']);
  });

  it('is not sent by a pod that has read it before another pod ended it', async () => {
    const user = createUser('immediate');
    setTime('12:00:30');
    for (let n = 0; n < 5; n += 1) await share(user);
    setTime('12:01:30');
    await Promise.all([sendDigests(deps), sendDigests(deps), sendDigests(deps)]);
    expect(await listEmails(user)).toEqual(['digest']);
  });

  it('is not postponed by events that are merged into its notifications', async () => {
    const collector = createUser('digest');
    const reader = createUser('immediate');
    setTime('07:58:00');
    const [collected, immediate] = [await share(collector), await share(reader)];
    // After the time of both digests, and before the one that collects is sent.
    setTime('08:00:05');
    await share(collector, { documentId: collected.documentId });
    await share(reader, { documentId: immediate.documentId });
    setTime('08:00:30');
    await sendDigests(deps);
    expect([await listEmails(collector), await listEmails(reader)]).toEqual([['digest'], ['notice']]);
  });

  it('is followed by another one if an event is merged into its notification after it', async () => {
    const user = createUser('immediate');
    setTime('12:00:10');
    const { documentId } = await share(user);
    setTime('12:01:30');
    await sendDigests(deps);
    setTime('12:01:40');
    await share(user, { documentId });
    setTime('12:02:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['notice', 'notice']);
  });

  it('is followed by another one if an event is merged into a notification while it is sent', async () => {
    const user = createUser('immediate');
    setTime('12:00:10');
    const seen = await share(user);
    await deps.store.visits.create({ _id: user._id, at: new Date('2026-11-30T12:00:20Z') });
    setTime('12:00:30');
    await share(user);
    setTime('12:01:30');
    await sendDigests({
      ...deps,
      async queueEmails(mailing) {
        await share(user, { documentId: seen.documentId });
        await deps.queueEmails(mailing);
      },
    });
    expect(await listEmails(user)).toEqual(['notice']);
    setTime('12:02:30');
    await sendDigests(deps);
    expect(await listEmails(user)).toEqual(['notice', 'notice']);
  });
});
