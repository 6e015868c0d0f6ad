import { LONGEST_UPLOAD_MS, openFiles } from '@atrium/object-store/open-files';
import { subscription } from '@atrium/service-kit/messaging/subscription';
import type { PostgresService } from '@atrium/service-kit/process/service-parts';
import { GONE } from './bin/bin-repository.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { createDownloadCounter } from './documents/download-counter.ts';
import { documentRoutes } from './documents/routes.ts';
import { followProject, forgetProject } from './projects/on-project-changed.ts';
import { takeOverAttachment } from './uploads/on-attachment-saved.ts';
import { KEY_PREFIX } from './uploads/take-in-file.ts';

/** What has the files, as a person without room is told. */
const OF_DOCUMENTS = { what: 'documents', wayOut: 'Delete documents that you no longer need, also from the bin' };

/** The service: metadata and grants in PostgreSQL, the bytes in the object store. */
export const documentsService: PostgresService<Config> = {
  name: 'documents',
  migrations: new URL('../migrations', import.meta.url),
  create({ config, db, directory, log }) {
    const files = openFiles({ config, db, log, prefix: KEY_PREFIX, of: OF_DOCUMENTS });
    const downloads = createDownloadCounter(db, log);
    const deps: Deps = { ...files, directory, log, downloads };
    return {
      routes: documentRoutes(deps),
      outdated: [GONE],
      subscriptions: [
        subscription({ name: 'project-people', from: 'all', reactions: [...followProject, forgetProject] }),
        // Copies of files take their time, and none waits for another.
        subscription({
          name: 'saved-attachments',
          from: 'all',
          inbox: false,
          unordered: 4,
          reactions: [takeOverAttachment(deps)],
        }),
      ],
      checks: files.checks,
      longestRequestMs: LONGEST_UPLOAD_MS,
      onReady: async () => files.begin(),
      async close() {
        await files.close();
        await downloads.close();
      },
    };
  },
};
