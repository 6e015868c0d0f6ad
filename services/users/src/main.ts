import { migrateService } from '@atrium/service-kit/postgres/migrate';
import { runMain } from '@atrium/service-kit/process/run-main';
import { startService } from '@atrium/service-kit/process/start-service';
import { usersService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(
  readConfig,
  (config) => startService(usersService, config),
  (config) => migrateService(usersService, config),
);
