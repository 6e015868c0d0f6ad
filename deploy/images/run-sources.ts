import { join } from 'node:path';
import { runWatched } from '@atrium/dev-server/dev/run-watched';
import { getEntryPoint } from './mains.ts';

/** The program of a `dev` image. It runs the sources with a debugger port, and restarts when they change. */
const name = process.env.SERVICE;
if (!name) throw new Error('Missing environment variable SERVICE: the name of a service');
runWatched(join(import.meta.dirname, '../..', getEntryPoint(name)), {
  nodeArgs: ['--inspect=0.0.0.0:9229'],
  args: process.argv.slice(2),
});
