import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { DownloadCounter } from './documents/download-counter.ts';
import type { ObjectRemover } from './storage/object-remover.ts';
import type { ObjectStore } from './storage/object-store.ts';
import type { Quotas } from './uploads/quota.ts';
import type { UploadSlots } from './uploads/upload-slots.ts';
import type { Pace } from './uploads/watch-pace.ts';

/** What the use cases of this service work with. */
export type Deps = {
  db: Db;
  directory: Directory;
  log: Logger;
  store: ObjectStore;
  remover: ObjectRemover;
  downloads: DownloadCounter;
  slots: UploadSlots;
  maxUploadBytes: number;
  quotas: Quotas;
  pace: Pace;
};
