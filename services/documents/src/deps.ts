import type { ThumbnailQueue } from '@atrium/object-store/thumbnails/thumbnail-queue';
import type { UploadDeps } from '@atrium/object-store/uploads/receive-form-files';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Coalescer } from '@atrium/service-kit/process/coalesce-computations';
import type { DownloadCounter, RecentLinkCache } from './downloads/download-links.ts';
import type { DocumentStats } from './stats/document-stats.ts';
import type { TextQueue } from './text-index/text-queue.ts';

export type Deps = UploadDeps & {
  directory: Directory;
  projects: Pick<ProjectDirectory, 'projects'>;
  log: Logger;
  thumbnailQueue: Pick<ThumbnailQueue, 'wake'>;
  downloads: DownloadCounter;
  recentLinks: RecentLinkCache;
  coalesceStats: Coalescer<DocumentStats>;
  textQueue: Pick<TextQueue, 'wake'>;
};
