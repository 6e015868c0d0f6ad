import { openOwnPlace } from './installation/local-installation.ts';
import { run } from './run.ts';

await run('backup', process.argv.slice(2), openOwnPlace);
// What a launcher starts keeps its process alive.
process.exit();
