import type { Directory } from '@atrium/service-kit/directory';
import type { Db } from '@atrium/service-kit/postgres';
import { type Rounds, startRounds } from '@atrium/service-kit/rounds';
import type { PostgresService } from '@atrium/service-kit/service-parts';
import type { Config } from './config.ts';
import { projectRoutes } from './projects/routes.ts';
import { createListMemory, type ListMemory } from './remembered-page.ts';
import { republishProjects } from './republish-projects.ts';
import { taskRoutes } from './tasks/routes.ts';

const LOOK_MS = 1_000;

/** What the use cases of this service work with. */
export type Deps = { db: Db; directory: Directory; taskLists: ListMemory; projectLists: ListMemory };

/** The service: its routes over its database. It consumes no events. */
export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log, messaging }) {
    const deps: Deps = { db, directory, taskLists: createListMemory(), projectLists: createListMemory() };
    // A list's plan fits any values by its making, and planning it anew takes longer than running it.
    db.pool.options.onConnect = (client) => client.query('set plan_cache_mode = force_generic_plan');
    const stopping = new AbortController();
    let filling: Rounds | undefined;
    let isFilled = false;
    return {
      routes: [...projectRoutes(deps), ...taskRoutes(deps)],
      projects: true,
      async onReady() {
        const live = await messaging;
        // A relay of an earlier release cannot publish what this queues: it would stand before everybody's events.
        filling = startRounds({
          what: 'the directory of projects',
          everyMs: LOOK_MS,
          log,
          async round() {
            if (isFilled || !live.leadsRelay()) return false;
            const queued = await republishProjects(db, projects, stopping.signal);
            isFilled = true;
            if (queued > 0) log.info({ queued }, 'put into the directory of projects what it lacked');
            return false;
          },
        });
        filling.wake();
      },
      async close() {
        stopping.abort();
        await filling?.close();
      },
    };
  },
};
