import { run } from './run.ts';

/** The program of the image `atrium/backup`: it works where its environment says. */
const [command, ...args] = process.argv.slice(2);
if (command === 'backup' || command === 'restore') await run(command, args);
else {
  process.stderr.write('Say backup or restore, and --help for more.\n');
  process.exitCode = 64;
}
