import type { ThumbnailWorker } from '@atrium/object-store/thumbnails/thumbnail-worker';
import type { UploadDeps } from '@atrium/object-store/uploads/receive-form-files';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { SharedFigures } from '@atrium/service-kit/process/shared-figures';
import type { DownloadCounter, RecentLinkCache } from './downloads/download-links.ts';
import type { DocumentStats } from './stats/document-stats.ts';
import type { TextWorker } from './text-index/text-worker.ts';

export type Deps = UploadDeps & {
  directory: Directory;
  log: Logger;
  thumbnailWorker: Pick<ThumbnailWorker, 'wake'>;
  downloads: DownloadCounter;
  recentLinks: RecentLinkCache;
  stats: SharedFigures<DocumentStats>;
  textWorker: Pick<TextWorker, 'wake'>;
};
