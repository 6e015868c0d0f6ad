import { escapeControls } from '@atrium/service-kit/observability/escape-controls';
import { connectInstallation, type InstallationConfig } from './installation.ts';
import { HELP, readDeadOptions } from './options.ts';
import { runDead } from './run-dead-letters.ts';

/** What is shown holds texts of users. */
const print = (text: string) => void process.stdout.write(`${text.split('\n').map(escapeControls).join('\n')}\n`);

/** Does what was typed behind `dead`, and sets the exit code: 1 where it failed. */
export const run = async (args: string[], find: (env: NodeJS.ProcessEnv) => InstallationConfig): Promise<void> => {
  try {
    const options = readDeadOptions(args);
    if (options.command === 'help') return print(HELP);
    const place = await connectInstallation(find(process.env));
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
