import { createDirectory } from '@atrium/service-kit/directory/directory';
import {
  departmentKey,
  feedDirectory,
  openDirectoryBucket,
  userKey,
} from '@atrium/service-kit/directory/directory-feed';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { buildUser } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { connectNats, quiet } from '../pods.ts';
import { startPrivateNats } from '../private-nats.ts';

const open = closeAfterEach();

const put = async (messaging: Messaging, key: string, value: unknown) => {
  const bucket = await openDirectoryBucket(messaging);
  await bucket.put(key, typeof value === 'string' ? value : JSON.stringify(value));
};

async function feed(messaging: Messaging) {
  const directory = createDirectory();
  open.push(await feedDirectory(directory, messaging, { log: quiet, confirmEveryMs: 10_000 }));
  return directory;
}

describe('feedDirectory', () => {
  it('is ready once it has caught up with everything in the bucket', async () => {
    const messaging = await connectNats(open);
    const bucket = await openDirectoryBucket(messaging);
    const people = Array.from({ length: 500 }, () => buildUser());
    await Promise.all(people.map((person) => bucket.put(userKey(person._id), JSON.stringify(person))));
    await put(messaging, departmentKey('d'.repeat(24)), {
      _id: 'd'.repeat(24),
      name: 'Design',
      isActive: true,
      version: 1,
    });
    const directory = await feed(messaging);
    expect([...directory.users()]).toHaveLength(500);
    expect(directory.user(people[499]?._id ?? '')).toEqual(people[499]);
    expect(directory.department('d'.repeat(24))?.name).toBe('Design');
  });

  it('is ready immediately if the bucket is empty', async () => {
    const directory = await feed(await connectNats(open));
    expect([...directory.users()]).toEqual([]);
  });

  it('is ready if the last operation was a deletion', async () => {
    const messaging = await connectNats(open);
    const person = buildUser();
    await put(messaging, userKey(person._id), person);
    await put(messaging, 'user.somebody', person);
    await (await openDirectoryBucket(messaging)).delete('user.somebody');
    expect((await feed(messaging)).user(person._id)).toEqual(person);
  });

  it('follows every change and notifies waiters', async () => {
    const messaging = await connectNats(open);
    const directory = await feed(messaging);
    const person = buildUser();
    const seen: number[] = [];
    directory.onUser(({ version }) => seen.push(version));
    const waiting = directory.whenUser(person._id, (user) => user?.status === 'inactive', 5_000);
    await put(messaging, userKey(person._id), person);
    await put(messaging, userKey(person._id), { ...person, status: 'inactive', version: 2 });
    expect(await waiting).toBe(true);
    expect(seen).toEqual([1, 2]);
  });

  it('never reverts to an older version', async () => {
    const messaging = await connectNats(open);
    const directory = await feed(messaging);
    const person = buildUser({ version: 7, firstName: 'New' });
    await put(messaging, userKey(person._id), person);
    await put(messaging, userKey(person._id), { ...person, version: 6, firstName: 'Old' });
    const next = buildUser();
    await put(messaging, userKey(next._id), next);
    await waitFor(() => directory.user(next._id), { what: 'the next user' });
    expect(directory.user(person._id)?.firstName).toBe('New');
  });

  it('skips invalid entries and continues', async () => {
    const messaging = await connectNats(open);
    await put(messaging, 'user.broken', '{"_id":');
    await put(messaging, 'user.half', { _id: 'a'.repeat(24) });
    const directory = await feed(messaging);
    await put(messaging, 'user.later', 'not JSON');
    const person = buildUser();
    await put(messaging, userKey(person._id), person);
    await waitFor(() => directory.user(person._id), { what: 'the next valid user' });
    expect([...directory.users()]).toHaveLength(1);
  });

  it('keeps its content while NATS is unavailable, and continues once it is back', async () => {
    const nats = await startPrivateNats();
    open.push(nats);
    const messaging = await connectNats(open, nats.url);
    const [before, after] = [buildUser(), buildUser()];
    await put(messaging, userKey(before._id), before);
    const directory = await feed(messaging);
    await nats.stop();
    expect(directory.user(before._id)).toEqual(before);
    await nats.start();
    await waitFor(() => put(messaging, userKey(after._id), after).then(() => true), {
      what: 'NATS to accept it',
      intervalMs: 200,
    });
    await waitFor(() => directory.user(after._id), { what: 'the change to arrive' });
  });
});
