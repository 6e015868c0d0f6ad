import type { ThumbnailQueue } from '@atrium/object-store/thumbnails/thumbnail-queue';
import type { UploadDeps } from '@atrium/object-store/uploads/receive-form-files';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { SaveOutcomes } from './model/messages/saved-attachments.ts';
import type { Broadcaster } from './sockets/broadcaster.ts';

export type Deps = {
  db: Db;
  directory: Directory;
  projects: ProjectDirectory;
  broadcaster: Broadcaster;
  files: UploadDeps;
  maxGroupsPerDay: number;
  log: Logger;
  saveOutcomes: SaveOutcomes;
  thumbnailQueue: Pick<ThumbnailQueue, 'wake'>;
  /** Adds and removes members of groups in the background. */
  memberSync: Pick<PollingLoop, 'wake'>;
};
