import type { DirectoryDepartment, DirectoryUser } from '@atrium/proto-events/people';
import { departmentKey, openDirectoryBucket, userKey } from '@atrium/service-kit/directory/follow-directory';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createStreams } from './backing-servers.ts';

/** Creates the streams and fills the directory, as the users service would. */
export async function fillDirectory(
  { url, prefix }: { url: string; prefix: string },
  users: readonly DirectoryUser[],
  departments: readonly DirectoryDepartment[] = [],
): Promise<void> {
  await createStreams(url, { prefix, replicas: 1 });
  const messaging = await connectMessaging({
    access: { servers: url },
    prefix,
    replicas: 1,
    name: 'test',
    log: createLogger('test', 'silent'),
  });
  const bucket = await openDirectoryBucket(messaging);
  await Promise.all(departments.map((entry) => bucket.put(departmentKey(entry._id), JSON.stringify(entry))));
  await Promise.all(users.map((user) => bucket.put(userKey(user._id), JSON.stringify(user))));
  await messaging.connection.close();
}
