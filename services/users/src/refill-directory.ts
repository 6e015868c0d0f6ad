import { createDirectory, type Directory } from '@atrium/service-kit/directory/directory';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { republishDirectory } from './republish-directory.ts';

const LOOK_MS = 1_000;

type Refilling = { db: Db; directory: Directory; messaging: Messaging; log: Logger };

/** Fills the directory again whenever its bucket came back empty, as long as this pod leads the relay. */
export function refillDirectory({ db, directory, messaging, log }: Refilling): PollingLoop {
  let isEmptied = false;
  const loop = startPollingLoop({
    what: 'the directory',
    everyMs: LOOK_MS,
    log,
    async round() {
      if (!isEmptied || !messaging.leadsRelay()) return false;
      // What this process has in memory says nothing of what is in the bucket.
      const queued = await republishDirectory({ db, directory: createDirectory() });
      isEmptied = false;
      log.warn({ queued }, 'the directory came back empty, and is filled again');
      return false;
    },
  });
  directory.onEmptied(() => {
    isEmptied = true;
    loop.wake();
  });
  return loop;
}
