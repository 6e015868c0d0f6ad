import { runWatched } from './run-watched.ts';

/** `node watched.ts [options of Node] <main>` */
const args = process.argv.slice(2);
const main = args.pop();
if (!main) throw new Error('Missing argument: the entry point of a program');
runWatched(main, { nodeArgs: args });
