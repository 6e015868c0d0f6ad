import { constants, setPriority } from 'node:os';
import { migrateService } from '@atrium/service-kit/postgres/migrate';
import { runMain } from '@atrium/service-kit/service/run-main';
import { startService } from '@atrium/service-kit/service/start-service';
import { chatService } from './app.ts';
import { readConfig } from './config.ts';

await runMain(
  readConfig,
  (config) => {
    // Sockets on the same machine have priority.
    if (config.CHAT_ROLE === 'files') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    return startService(chatService, config);
  },
  (config) => migrateService(chatService, config),
);
