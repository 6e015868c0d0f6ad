import { runMain } from '@atrium/service-kit/process/run-main';
import { readConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runMain(readConfig, startGateway);
