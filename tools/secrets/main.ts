import { join, relative } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { HELP, readSecretsOptions } from './options.ts';
import { rotateSecrets } from './rotate.ts';
import { printManifests, writeCompose, writeManifests } from './write-secrets.ts';

// Manifests on stdout may be piped to kubectl, so messages go to stderr.
const print = (line: string) => void process.stdout.write(`${line}\n`);
const printInfo = (line: string) => void process.stderr.write(`${line}\n`);

const inDeploy = (name: string): string => relative(process.cwd(), join(CHECKOUT, 'deploy', name));

try {
  const options = readSecretsOptions(process.argv.slice(2));
  if (options.command === 'help') print(HELP);
  else if (options.command === 'compose')
    writeCompose(options.file ?? inDeploy('.env'), inDeploy('.env.example'), print);
  else if (options.command === 'rotate') rotateSecrets(options.out, options.name, options.step, print);
  else if (options.out === undefined) printManifests(options, print, printInfo);
  else writeManifests(options.out, options, print);
} catch (error) {
  printInfo(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
