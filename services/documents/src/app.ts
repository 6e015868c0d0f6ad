import { createFileStorage, MAX_UPLOAD_MS } from '@atrium/object-store/file-storage';
import { createThumbnailWorker } from '@atrium/object-store/thumbnails/thumbnail-worker';
import { subscription } from '@atrium/service-kit/messaging/subscription';
import { createSharedFigures } from '@atrium/service-kit/process/shared-figures';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createDownloadCounter, createRecentLinkCache } from './downloads/download-links.ts';
import { EXPIRED_DOWNLOADS } from './downloads/download-log.ts';
import { createTextExtractor } from './extraction/text-extractor.ts';
import { handleProjectDeleted, syncProject } from './projects/on-project-changed.ts';
import { documentRoutes } from './routes.ts';
import { removeDepartedReader } from './sharing/share-document.ts';
import { createTextWorker, registerTextMetrics } from './text-index/text-worker.ts';
import { EXPIRED_TRASH } from './trash/trash-repository.ts';
import { EXPIRED_FAILURES, importAttachment } from './uploads/on-attachment-saved.ts';
import { ABANDONED_UPLOADS, KEY_PREFIX } from './uploads/upload-repository.ts';

const QUOTA_LABELS = { files: 'documents', remedy: 'Delete documents that you no longer need, and empty the trash' };

export const documentsService: PostgresService<Config> = {
  name: 'documents',
  migrations: new URL('../migrations', import.meta.url),
  create({ config, db, directory, log, metrics }) {
    const files = createFileStorage({
      config,
      db,
      log,
      registry: metrics.registry,
      prefix: KEY_PREFIX,
      quotaLabels: QUOTA_LABELS,
      pendingUploadsView: 'pending_uploads',
    });
    const thumbnailWorker = createThumbnailWorker({ db, store: files.store, remover: files.remover, log });
    const textWorker = createTextWorker({
      db,
      store: files.store,
      extractor: createTextExtractor({ concurrency: 1 }),
      metrics: registerTextMetrics(metrics.registry, db),
      log,
    });
    const downloads = createDownloadCounter(db, log);
    const deps: Deps = {
      ...files,
      directory,
      log,
      thumbnailWorker,
      textWorker,
      downloads,
      recentLinks: createRecentLinkCache(),
      stats: createSharedFigures(),
    };
    return {
      routes: documentRoutes(deps),
      retentionRules: [EXPIRED_TRASH, EXPIRED_DOWNLOADS, ABANDONED_UPLOADS, EXPIRED_FAILURES],
      subscriptions: [
        subscription({ name: 'project-people', from: 'all', reactions: [...syncProject, handleProjectDeleted] }),
        subscription({ name: 'departures', from: 'all', reactions: [removeDepartedReader] }),
        // Separate, because copying files takes long.
        subscription({
          name: 'saved-attachments',
          from: 'all',
          inbox: false,
          unordered: 4,
          reactions: [importAttachment(deps)],
        }),
      ],
      checks: files.checks,
      maxRequestMs: MAX_UPLOAD_MS,
      onReady: async () => {
        files.start();
        thumbnailWorker.start();
        textWorker.start();
      },
      async close() {
        await Promise.all([thumbnailWorker.close(), textWorker.close()]);
      },
      async end() {
        await files.close();
        await downloads.close();
      },
    };
  },
};
