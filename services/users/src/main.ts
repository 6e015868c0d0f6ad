import { migrateService } from '@atrium/service-kit/postgres/migrate';
import { runMain } from '@atrium/service-kit/service/run-main';
import { startService } from '@atrium/service-kit/service/start-service';
import { usersService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(
  readConfig,
  (config) => startService(usersService, config),
  (config) => migrateService(usersService, config),
);
