import { HELP, readDeadOptions } from './options.ts';
import { openPlace, type Whereabouts } from './place.ts';
import { runDead } from './run-dead.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Does what was typed behind `dead`, and sets the exit code: 1 where it failed. */
export const run = async (args: string[], find: (env: NodeJS.ProcessEnv) => Whereabouts): Promise<void> => {
  try {
    const options = readDeadOptions(args);
    if (options.command === 'help') return print(HELP);
    const place = await openPlace(find(process.env));
    try {
      await runDead(place, options, print);
    } finally {
      await place.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};
