import { HELP, readDeadOptions } from './options.ts';
import { openPlace } from './place.ts';
import { runDead } from './run-dead.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

const main = async (): Promise<void> => {
  const options = readDeadOptions(process.argv.slice(2));
  if (options.command === 'help') return print(HELP);
  const place = await openPlace(process.env);
  try {
    await runDead(place, options, print);
  } finally {
    await place.close();
  }
};

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
