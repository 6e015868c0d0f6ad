import { createPartMeters } from '@atrium/object-store/objects/part-checksums';
import { LONGEST_UPLOAD_MS, openFiles } from '@atrium/object-store/open-files';
import { createPictureMaker } from '@atrium/object-store/thumbnails/thumbnail-worker';
import { subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/process/service-definition';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { documentRoutes } from './documents/routes.ts';
import { createDownloadCounter } from './downloads/download-counter.ts';
import { OLD_DOWNLOADS } from './downloads/download-log.ts';
import { createListedLinks } from './downloads/recent-link-cache.ts';
import { createTextExtractor } from './extraction/text-extractor.ts';
import { followProject, forgetProject } from './projects/on-project-changed.ts';
import { removeDepartedReader } from './sharing/on-user-departed.ts';
import { startFoldingSums } from './stats/roll-up-totals.ts';
import { measureTexts } from './text-index/text-metrics.ts';
import { createTextWorker } from './text-index/text-worker.ts';
import { EXPIRED_TRASH } from './trash/bin-repository.ts';
import { OLD_FAILURES } from './uploads/attachment-saves.ts';
import { importAttachment } from './uploads/on-attachment-saved.ts';
import { KEY_PREFIX } from './uploads/receive-upload.ts';
import { ABANDONED_UPLOADS } from './uploads/upload-repository.ts';

/** What has the files, as a person without room is told. */
const OF_DOCUMENTS = { what: 'documents', wayOut: 'Delete documents that you no longer need, also from the bin' };

/** The service: metadata and grants in PostgreSQL, the bytes in the object store. */
export const documentsService: PostgresService<Config> = {
  name: 'documents',
  migrations: new URL('../migrations', import.meta.url),
  create({ config, db, directory, log, metrics }) {
    const files = openFiles({
      ...{ config, db, log, prefix: KEY_PREFIX, of: OF_DOCUMENTS },
      registry: metrics.registry,
      underWay: 'uploads_under_way',
    });
    const pictures = createPictureMaker({ db, store: files.store, remover: files.remover, log });
    const texts = createTextWorker({
      db,
      store: files.store,
      extractor: createTextExtractor({ atOnce: 1 }),
      metrics: measureTexts(metrics.registry, db),
      log,
    });
    const downloads = createDownloadCounter(db, log);
    let folding: PollingLoop | undefined;
    const meters = createPartMeters();
    const deps: Deps = { ...files, directory, log, pictures, texts, downloads, meters, listed: createListedLinks() };
    return {
      routes: documentRoutes(deps),
      outdated: [EXPIRED_TRASH, OLD_DOWNLOADS, ABANDONED_UPLOADS, OLD_FAILURES],
      subscriptions: [
        subscription({ name: 'project-people', from: 'all', reactions: [...followProject, forgetProject] }),
        subscription({ name: 'departures', from: 'all', reactions: [removeDepartedReader] }),
        // Copies of files take their time, and none waits for another.
        subscription({
          name: 'saved-attachments',
          from: 'all',
          inbox: false,
          unordered: 4,
          reactions: [importAttachment(deps)],
        }),
      ],
      checks: files.checks,
      longestRequestMs: LONGEST_UPLOAD_MS,
      onReady: async () => {
        files.begin();
        pictures.start();
        texts.start();
        folding = startFoldingSums(db, log);
      },
      async close() {
        await Promise.all([pictures.close(), texts.close(), folding?.close()]);
      },
      async end() {
        await files.close();
        await downloads.close();
      },
    };
  },
};
