import type { ObjectRemover } from '@atrium/object-store/objects/object-remover';
import type { Quotas } from '@atrium/object-store/objects/quota';
import type { UploadSlots } from '@atrium/object-store/receiving/upload-slots';
import type { Pace } from '@atrium/object-store/receiving/watch-pace';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { DownloadCounter } from './downloads/download-counter.ts';

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
