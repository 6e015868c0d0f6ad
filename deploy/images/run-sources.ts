import { join } from 'node:path';
import { runWatched } from '@atrium/dev-server/dev/run-watched';
import { mainOf } from './mains.ts';

/** The program of a `dev` image: its sources, started again when one of them has been changed, with a port for a debugger. */
const name = process.env.SERVICE;
if (!name) throw new Error('SERVICE is needed: the name of a service');
runWatched(join(import.meta.dirname, '../..', mainOf(name)), {
  nodeArgs: ['--inspect=0.0.0.0:9229'],
  args: process.argv.slice(2),
});
