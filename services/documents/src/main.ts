import { migrateService } from '@atrium/service-kit/postgres/migrate';
import { runMain } from '@atrium/service-kit/service/run-main';
import { startService } from '@atrium/service-kit/service/start-service';
import { documentsService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(
  readConfig,
  (config) => startService(documentsService, config),
  (config) => migrateService(documentsService, config),
);
