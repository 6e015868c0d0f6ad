import { runWatched } from './run-watched.ts';

const args = process.argv.slice(2);
const main = args.pop();
if (!main) throw new Error('Missing argument: the entry point of a program');
runWatched(main, { nodeArgs: args });
