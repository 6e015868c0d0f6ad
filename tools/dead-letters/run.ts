import { escapeControls } from '@atrium/service-kit/observability/logger';
import { connectInstallation, type InstallationConfig } from './installation.ts';
import { HELP, readDeadLetterOptions } from './options.ts';
import { runDeadLetters } from './run-dead-letters.ts';

/** Escapes control characters, because events contain user text. */
const print = (text: string) => void process.stdout.write(`${text.split('\n').map(escapeControls).join('\n')}\n`);

/** Runs `npm run dead-letters` and sets the exit code: 1 after a failure. */
export const run = async (args: string[], find: (env: NodeJS.ProcessEnv) => InstallationConfig): Promise<void> => {
  try {
    const options = readDeadLetterOptions(args);
    if (options.command === 'help') return print(HELP);
    const installation = await connectInstallation(find(process.env));
    try {
      await runDeadLetters(installation, options, print);
    } finally {
      await installation.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};
