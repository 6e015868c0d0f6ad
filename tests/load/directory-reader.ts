import { createDirectory } from '@atrium/service-kit/directory/directory';
import { followDirectory } from '@atrium/service-kit/directory/follow-directory';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';

/** Fills a directory and reports the cost to the parent process. */
const [url = '', prefix = ''] = process.argv.slice(2);
const log = createLogger('reader', 'warn');
const messaging = await connectMessaging({ access: { servers: url }, prefix, replicas: 1, name: 'reader', log });
const collectGarbage = () => globalThis.gc?.();
collectGarbage();
const memoryBefore = process.memoryUsage().rss;
const startedAt = performance.now();
const directory = createDirectory();
const feed = await followDirectory(directory, messaging, { log, confirmIntervalMs: 10_000 });
const ms = performance.now() - startedAt;
if ([...directory.users()].length < 100_000) throw new Error('The directory is incomplete');
collectGarbage();
process.send?.({ ms, addedMb: (process.memoryUsage().rss - memoryBefore) / 1024 / 1024 });
await feed.close();
await messaging.connection.close();
process.disconnect();
