import { createDirectory } from '@atrium/service-kit/directory/directory';
import {
  departmentKey,
  followDirectory,
  openDirectoryBucket,
  userKey,
} from '@atrium/service-kit/directory/follow-directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { buildUser } from '@atrium/test-kit/build-user';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { connectNats, quiet } from '../pods.ts';
import { startPrivateNats } from '../private-nats.ts';

const resources = closeAfterEach();

const putEntry = async (messaging: Messaging, key: string, value: unknown) => {
  const bucket = await openDirectoryBucket(messaging);
  await bucket.put(key, typeof value === 'string' ? value : JSON.stringify(value));
};

async function startFollowing(messaging: Messaging) {
  const directory = createDirectory();
  resources.push(await followDirectory(directory, messaging, { log: quiet, confirmIntervalMs: 10_000 }));
  return directory;
}

describe('followDirectory', () => {
  it('is ready once it has caught up with the bucket', async () => {
    const messaging = await connectNats(resources);
    const bucket = await openDirectoryBucket(messaging);
    const users = Array.from({ length: 500 }, () => buildUser());
    await Promise.all(users.map((user) => bucket.put(userKey(user._id), JSON.stringify(user))));
    await putEntry(messaging, departmentKey('d'.repeat(24)), {
      _id: 'd'.repeat(24),
      name: 'Design',
      isActive: true,
      version: 1,
    });
    const directory = await startFollowing(messaging);
    expect([...directory.users()]).toHaveLength(500);
    expect(directory.user(users[499]?._id ?? '')).toEqual(users[499]);
    expect(directory.department('d'.repeat(24))?.name).toBe('Design');
  });

  it('is ready immediately if the bucket is empty', async () => {
    const directory = await startFollowing(await connectNats(resources));
    expect([...directory.users()]).toEqual([]);
  });

  it('is ready if the last operation was a deletion', async () => {
    const messaging = await connectNats(resources);
    const user = buildUser();
    await putEntry(messaging, userKey(user._id), user);
    await putEntry(messaging, 'user.somebody', user);
    await (await openDirectoryBucket(messaging)).delete('user.somebody');
    expect((await startFollowing(messaging)).user(user._id)).toEqual(user);
  });

  it('follows every change, and resolves pending waits', async () => {
    const messaging = await connectNats(resources);
    const directory = await startFollowing(messaging);
    const user = buildUser();
    const versions: number[] = [];
    directory.onUser(({ version }) => versions.push(version));
    const waiting = directory.whenUser(user._id, (changed) => changed?.status === 'inactive', 5_000);
    await putEntry(messaging, userKey(user._id), user);
    await putEntry(messaging, userKey(user._id), { ...user, status: 'inactive', version: 2 });
    expect(await waiting).toBe(true);
    expect(versions).toEqual([1, 2]);
  });

  it('never reverts to an older version', async () => {
    const messaging = await connectNats(resources);
    const directory = await startFollowing(messaging);
    const user = buildUser({ version: 7, firstName: 'New' });
    await putEntry(messaging, userKey(user._id), user);
    await putEntry(messaging, userKey(user._id), { ...user, version: 6, firstName: 'Old' });
    const nextUser = buildUser();
    await putEntry(messaging, userKey(nextUser._id), nextUser);
    await waitFor(() => directory.user(nextUser._id), { description: 'the next user' });
    expect(directory.user(user._id)?.firstName).toBe('New');
  });

  it('skips invalid entries and continues', async () => {
    const messaging = await connectNats(resources);
    await putEntry(messaging, 'user.broken', '{"_id":');
    await putEntry(messaging, 'user.half', { _id: 'a'.repeat(24) });
    const directory = await startFollowing(messaging);
    await putEntry(messaging, 'user.later', 'not JSON');
    const user = buildUser();
    await putEntry(messaging, userKey(user._id), user);
    await waitFor(() => directory.user(user._id), { description: 'the next valid user' });
    expect([...directory.users()]).toHaveLength(1);
  });

  it('keeps its content while NATS is unavailable, and continues once it is back', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    const messaging = await connectNats(resources, nats.url);
    const userBefore = buildUser();
    const userAfter = buildUser();
    await putEntry(messaging, userKey(userBefore._id), userBefore);
    const directory = await startFollowing(messaging);
    await nats.stop();
    expect(directory.user(userBefore._id)).toEqual(userBefore);
    await nats.start();
    await waitFor(() => putEntry(messaging, userKey(userAfter._id), userAfter).then(() => true), {
      description: 'NATS to accept it',
      intervalMs: 200,
    });
    await waitFor(() => directory.user(userAfter._id), { description: 'the change to arrive' });
  });
});
