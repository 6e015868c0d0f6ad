import { runMain } from '@atrium/service-kit/service/run-main';
import { readConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runMain(readConfig, startGateway);
