import { runMain } from '@atrium/service-kit/service/run-main';
import { startService } from '@atrium/service-kit/service/start-service';
import { notificationsService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(readConfig, (config) => startService(notificationsService, config));
