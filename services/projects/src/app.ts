import type { Directory } from '@atrium/service-kit/directory';
import type { Db } from '@atrium/service-kit/postgres';
import type { Rounds } from '@atrium/service-kit/rounds';
import type { PostgresService } from '@atrium/service-kit/service-parts';
import type { Config } from './config.ts';
import { keepDirectory } from './keep-directory.ts';
import { projectRoutes } from './projects/routes.ts';
import { taskRoutes } from './tasks/routes.ts';

/** What the use cases of this service work with. */
export type Deps = { db: Db; directory: Directory };

/** The service: its routes over its database. It consumes no events. */
export const projectsService: PostgresService<Config> = {
  name: 'projects',
  migrations: new URL('../migrations', import.meta.url),
  create({ db, directory, projects, log, messaging }) {
    const deps: Deps = { db, directory };
    const stopping = new AbortController();
    let keeping: Rounds | undefined;
    return {
      routes: [...projectRoutes(deps), ...taskRoutes(deps)],
      projects: true,
      async onReady() {
        keeping = keepDirectory({ db, projects, messaging: await messaging, log, signal: stopping.signal });
      },
      async close() {
        stopping.abort();
        await keeping?.close();
      },
    };
  },
};
