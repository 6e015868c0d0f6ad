import { runWatched } from './run-watched.ts';

/** `node watched.ts [options of Node] <main>` */
const args = process.argv.slice(2);
const main = args.pop();
if (!main) throw new Error('The first file of a program is needed');
runWatched(main, { nodeArgs: args });
