import { readEnvConfig } from '../dead-letters/installation.ts';
import { run as runDeadLetters } from '../dead-letters/run.ts';
import { run } from './run.ts';

const [command, ...args] = process.argv.slice(2);
if (command === 'backup' || command === 'restore') await run(command, args);
else if (command === 'dead-letters') await runDeadLetters(args, readEnvConfig);
else {
  process.stderr.write('Missing command: backup, restore, or dead-letters. Add --help for details.\n');
  process.exitCode = 64;
}
