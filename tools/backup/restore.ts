import { openOwnPlace } from './installation/local-installation.ts';
import { run } from './run.ts';

await run('restore', process.argv.slice(2), openOwnPlace);
// What a launcher starts keeps its process alive.
process.exit();
