import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import type { Registry } from 'prom-client';
import { createObjectRemover } from './objects/object-remover.ts';
import { measureStorage, type Quotas } from './objects/quota.ts';
import { scheduleSweep } from './objects/sweep-objects.ts';
import type { FilesConfig } from './s3/config.ts';
import { createObjectStore } from './s3/object-store.ts';
import type { UploadDeps } from './uploads/receive-form-files.ts';
import { createUploadSlots } from './uploads/upload-slots.ts';

/** How long an upload waits for a slot. The gateway aborts a request that is idle for 30 seconds. */
const MAX_WAIT_MS = 20_000;
const MAX_WAITING_PER_USER = 8;

/** Maximum duration of an upload, for the largest file over a slow connection; idle ones are aborted much sooner. */
export const MAX_UPLOAD_MS = 60 * 60 * 1000;

export type FileStorage = UploadDeps & {
  checks: readonly HealthCheck[];
  start(): void;
  close(): Promise<void>;
};

type Options = {
  config: FilesConfig;
  db: Db;
  log: Logger;
  registry: Registry;
  /** Ends with a slash and is unique to the service, so that services can share a bucket. */
  prefix: string;
  quotaLabels: Quotas['labels'];
  pendingUploadsView?: Quotas['pendingUploadsView'];
};

/**
 * Creates the store, quotas, and upload slots of a service whose database has the tables `objects` and
 * `objects_to_delete`.
 */
export function createFileStorage({
  config,
  db,
  log,
  registry,
  prefix,
  quotaLabels,
  pendingUploadsView,
}: Options): FileStorage {
  const store = createObjectStore({ config, prefix, log });
  const remover = createObjectRemover({ db, store, log });
  const slots = createUploadSlots({
    concurrency: config.MAX_CONCURRENT_UPLOADS,
    perUser: config.MAX_CONCURRENT_UPLOADS_PER_USER,
    maxWaitingPerUser: MAX_WAITING_PER_USER,
    waitMs: MAX_WAIT_MS,
  });
  const quotas: Quotas = {
    userBytes: config.USER_STORAGE_QUOTA_BYTES,
    workspaceBytes: config.WORKSPACE_STORAGE_QUOTA_BYTES,
    labels: quotaLabels,
    pendingUploadsView,
  };
  measureStorage(registry, db, quotas);
  const sweep = scheduleSweep({ db, store, log, pendingUploadsView }, config.ORPHAN_OBJECT_MAX_AGE_HOURS);
  return {
    db,
    store,
    remover,
    slots,
    maxUploadBytes: config.MAX_UPLOAD_BYTES,
    quotas,
    minimumRate: {
      bytesPerSecond: config.MIN_UPLOAD_BYTES_PER_SECOND,
      windowMs: config.UPLOAD_STALL_WINDOW_SECONDS * 1000,
    },
    // Reports the last known state, because a hanging store must not block this check.
    checks: [{ name: 'objects', essential: false, check: async () => store.assertAvailable() }],
    start() {
      remover.start();
      sweep.start();
    },
    async close() {
      sweep.close();
      store.close();
      await remover.close();
    },
  };
}
