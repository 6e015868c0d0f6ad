import { runMain } from '@atrium/service-kit/process/run-main';
import { startService } from '@atrium/service-kit/process/start-service';
import { notificationsService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(readConfig, (config) => startService(notificationsService, config));
