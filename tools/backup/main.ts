import { givenPlace } from '../dead/place.ts';
import { run as runDead } from '../dead/run.ts';
import { run } from './run.ts';

/** The program of the image `atrium/backup`, an operator's: it works where its environment says. */
const [command, ...args] = process.argv.slice(2);
if (command === 'backup' || command === 'restore') await run(command, args);
else if (command === 'dead') await runDead(args, givenPlace);
else {
  process.stderr.write('Say backup, restore or dead, and --help for more.\n');
  process.exitCode = 64;
}
