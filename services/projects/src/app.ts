import type { Directory } from '@atrium/service-kit/directory';
import type { Db } from '@atrium/service-kit/postgres';
import { retryUntilDone } from '@atrium/service-kit/retry';
import type { PostgresService } from '@atrium/service-kit/service-parts';
import type { Config } from './config.ts';
import { projectRoutes } from './projects/routes.ts';
import { createListMemory, type ListMemory } from './remembered-page.ts';
import { republishProjects } from './republish-projects.ts';
import { taskRoutes } from './tasks/routes.ts';

/** What the use cases of this service work with. */
export type Deps = { db: Db; directory: Directory; taskLists: ListMemory; projectLists: ListMemory };

/** The service: its routes over its database. It consumes no events. */
export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log }) {
    const deps: Deps = { db, directory, taskLists: createListMemory(), projectLists: createListMemory() };
    // A list's plan fits any values by its making, and planning it anew takes longer than running it.
    db.pool.options.onConnect = (client) => client.query('set plan_cache_mode = force_generic_plan');
    const stopping = new AbortController();
    return {
      routes: [...projectRoutes(deps), ...taskRoutes(deps)],
      projects: true,
      async onReady() {
        const republish = () => republishProjects(db, projects, stopping.signal);
        const queued = await retryUntilDone('projects', republish, log, stopping.signal);
        if (queued > 0) log.info({ queued }, 'put into the directory of projects what it lacked');
      },
      close: async () => stopping.abort(),
    };
  },
};
