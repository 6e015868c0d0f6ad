import { ownPlace } from './own-place.ts';
import { givenPlace } from './place.ts';
import { run } from './run.ts';

await run(process.argv.slice(2), (env) => (env.NATS_URL ? givenPlace(env) : ownPlace(env)));
