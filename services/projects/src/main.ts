import { migrateService } from '@atrium/service-kit/postgres/migrate';
import { runMain } from '@atrium/service-kit/service/run-main';
import { startService } from '@atrium/service-kit/service/start-service';
import { projectsService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(
  readConfig,
  (config) => startService(projectsService, config),
  (config) => migrateService(projectsService, config),
);
