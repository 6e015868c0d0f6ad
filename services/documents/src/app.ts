import { createObjectRemover } from '@atrium/object-store/objects/object-remover';
import { scheduleSweep } from '@atrium/object-store/objects/sweep-objects';
import { createUploadSlots } from '@atrium/object-store/receiving/upload-slots';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { subscription } from '@atrium/service-kit/messaging/subscription';
import type { PostgresService } from '@atrium/service-kit/process/service-parts';
import { GONE } from './bin/bin-repository.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { documentRoutes } from './documents/routes.ts';
import { createDownloadCounter } from './downloads/download-counter.ts';
import { OLD_DOWNLOADS } from './downloads/download-log.ts';
import { followProject, forgetProject } from './projects/on-project-changed.ts';
import { KEY_PREFIX } from './uploads/take-in-file.ts';

/** Short of the half minute after which the gateway takes a request that does not move for dead. */
const LONGEST_WAIT_MS = 20_000;
const WAITING_PER_PERSON = 8;

/** An upload of the largest file over a slow line takes this long at most; idle ones are cut much sooner. */
const LONGEST_UPLOAD_MS = 60 * 60 * 1000;

/** The service: metadata and grants in PostgreSQL, the bytes in the object store. */
export const documentsService: PostgresService<Config> = {
  name: 'documents',
  migrations: new URL('../migrations', import.meta.url),
  create({ config, db, directory, log }) {
    const store = createObjectStore({ config, prefix: KEY_PREFIX, log });
    const remover = createObjectRemover({ db, store, log });
    const downloads = createDownloadCounter(db, log);
    const slots = createUploadSlots({
      atOnce: config.UPLOADS_AT_ONCE,
      perPerson: config.UPLOADS_PER_PERSON,
      waitingPerPerson: WAITING_PER_PERSON,
      waitMs: LONGEST_WAIT_MS,
    });
    const sweep = scheduleSweep({ db, store, log }, config.OBJECT_ORPHAN_HOURS);
    const deps: Deps = {
      db,
      directory,
      log,
      store,
      remover,
      downloads,
      slots,
      maxUploadBytes: config.MAX_UPLOAD_BYTES,
      quotas: { personBytes: config.UPLOAD_QUOTA_PERSON_BYTES, workspaceBytes: config.UPLOAD_QUOTA_WORKSPACE_BYTES },
      pace: { bytesPerSecond: config.UPLOAD_BYTES_PER_SECOND, windowMs: config.UPLOAD_PATIENCE_SECONDS * 1000 },
    };
    return {
      routes: documentRoutes(deps),
      outdated: [GONE, OLD_DOWNLOADS],
      subscriptions: [
        subscription({ name: 'project-people', from: 'all', reactions: [...followProject, forgetProject] }),
      ],
      // What the watch of the store last found: a store that hangs must not make this probe hang.
      checks: [{ name: 'objects', essential: false, check: async () => store.require() }],
      longestRequestMs: LONGEST_UPLOAD_MS,
      onReady: async () => {
        remover.start();
        sweep.start();
      },
      async close() {
        sweep.close();
        store.close();
        await remover.close();
        await downloads.close();
      },
    };
  },
};
