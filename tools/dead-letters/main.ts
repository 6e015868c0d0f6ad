import { givenPlace } from './installation.ts';
import { ownPlace } from './local-installation.ts';
import { run } from './run.ts';

await run(process.argv.slice(2), (env) => (env.NATS_URL ? givenPlace(env) : ownPlace(env)));
