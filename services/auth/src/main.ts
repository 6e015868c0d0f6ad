import { migrateService } from '@atrium/service-kit/postgres/migrate';
import { runMain } from '@atrium/service-kit/service/run-main';
import { startService } from '@atrium/service-kit/service/start-service';
import { authService } from './app.ts';
import { readConfig } from './config.ts';
import { rotateKeys } from './keys/key-ring.ts';

await runMain(
  readConfig,
  (config) => startService(authService, config),
  (config) => migrateService(authService, config),
  { 'rotate-keys': rotateKeys },
);
