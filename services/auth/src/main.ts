import { migrateService } from '@atrium/service-kit/migrate';
import { runMain } from '@atrium/service-kit/run-main';
import { startService } from '@atrium/service-kit/start-service';
import { authService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(
  readConfig,
  (config) => startService(authService, config),
  (config) => migrateService(authService, config),
);
