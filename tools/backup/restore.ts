import { openLocalInstallation } from './installation/local-installation.ts';
import { run } from './run.ts';

await run('restore', process.argv.slice(2), openLocalInstallation);
// The launcher's child processes keep this process alive.
process.exit();
