import { createFileStorage, MAX_UPLOAD_MS } from '@atrium/object-store/file-storage';
import { createThumbnailQueue } from '@atrium/object-store/thumbnails/thumbnail-queue';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createCoalescer } from '@atrium/service-kit/process/coalesce-computations';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createDownloadCounter, createRecentLinkCache } from './downloads/download-links.ts';
import { EXPIRED_DOWNLOADS } from './downloads/download-log.ts';
import { createTextExtractor } from './extraction/text-extractor.ts';
import { markProjectDeleted, saveNewProject, updateMembers } from './projects/on-project-events.ts';
import { documentsRoutes } from './routes.ts';
import { removeDeactivatedUser } from './sharing/on-user-deactivated.ts';
import { createTextQueue, registerTextMetrics } from './text-index/text-queue.ts';
import { EXPIRED_TRASH } from './trash/trash-repository.ts';
import { EXPIRED_FAILURES, importAttachment } from './uploads/on-attachment-saved.ts';
import { ABANDONED_UPLOADS, KEY_PREFIX } from './uploads/upload-repository.ts';

const QUOTA_LABELS = { files: 'documents', remedy: 'Delete documents that you no longer need, and empty the trash' };

export const documentsService: PostgresService<Config> = {
  name: 'documents',
  migrations: new URL('../migrations', import.meta.url),
  create({ config, db, directory, projects, log, metrics }) {
    const files = createFileStorage({
      config,
      db,
      log,
      registry: metrics.registry,
      prefix: KEY_PREFIX,
      quotaLabels: QUOTA_LABELS,
      pendingUploadsView: 'pending_uploads',
    });
    const thumbnailQueue = createThumbnailQueue({ db, store: files.store, remover: files.remover, log });
    const textQueue = createTextQueue({
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
      projects,
      log,
      thumbnailQueue,
      textQueue,
      downloads,
      recentLinks: createRecentLinkCache(),
      coalesceStats: createCoalescer(),
    };
    return {
      needsProjectDirectory: true,
      routes: documentsRoutes(deps),
      retentionRules: [EXPIRED_TRASH, EXPIRED_DOWNLOADS, ABANDONED_UPLOADS, EXPIRED_FAILURES],
      subscriptions: [
        subscription({
          name: 'project-people',
          from: 'all',
          handlers: [
            on(projectCreated, saveNewProject),
            on(projectUpdated, updateMembers),
            on(projectDeleted, markProjectDeleted),
          ],
        }),
        subscription({ name: 'departures', from: 'all', handlers: [on(userDeactivated, removeDeactivatedUser)] }),
        // Separate, because copying files takes long.
        subscription({
          name: 'saved-attachments',
          from: 'all',
          inbox: false,
          unordered: 4,
          handlers: [on(attachmentSaved, importAttachment(deps))],
        }),
      ],
      checks: files.checks,
      maxRequestMs: MAX_UPLOAD_MS,
      onReady: async () => {
        files.start();
        thumbnailQueue.start();
        textQueue.start();
      },
      async beforeShutdown() {
        await Promise.all([thumbnailQueue.close(), textQueue.close()]);
      },
      async afterShutdown() {
        await files.close();
        await downloads.close();
      },
    };
  },
};
