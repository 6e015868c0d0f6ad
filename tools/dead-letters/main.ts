import { readEnvConfig } from './installation.ts';
import { readLocalConfig } from './local-installation.ts';
import { run } from './run.ts';

await run(process.argv.slice(2), (env) => (env.NATS_URL ? readEnvConfig(env) : readLocalConfig(env)));
