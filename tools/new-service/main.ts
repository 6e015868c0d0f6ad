import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { makeService } from './make-service.ts';

const runScript = (program: string, ...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(CHECKOUT, program), ...args], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
};

const readRolloutCommands = (): string => {
  const page = readFileSync(join(CHECKOUT, 'docs/self-hosting/kubernetes.md'), 'utf8');
  const [, commands] = /### Releases with a new service\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  if (!commands) throw new Error('docs/self-hosting/kubernetes.md has no commands in "Releases with a new service"');
  return commands.trimEnd().replace(/^/gm, '  ');
};

const [name] = process.argv.slice(2);
if (!name || name.startsWith('-')) {
  console.log(
    'npm run generate:service -- <name>   such as "polls": a service with one resource, its contract, event, and tests',
  );
  process.exit(name === '--help' ? 0 : 64);
}
try {
  const { created, changed, missed } = await makeService(CHECKOUT, name);
  // The lists are edited as text, so they need formatting.
  const ignoreUnknown = '--files-ignore-unknown=true';
  runScript('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ignoreUnknown, ...created, ...changed);
  runScript('tools/configuration-table/main.ts');
  runScript('packages/dev-server/backing/servers/write-nats-users.ts');
  const formatList = (files: readonly string[]) => files.map((file) => `  ${file}`).join('\n');
  console.log(`Created:\n${formatList(created)}\nChanged:\n${formatList(changed)}`);
  if (missed.length) console.log(`Add the service manually in:\n${formatList(missed)}`);
  console.log(`\nNext:
  npm install                      links the new workspace
  npm test -- ${name.padEnd(20)} runs its own tests
  npm test                         runs everything, and checks its list entries, manifest, network paths, and secrets
  npm run secrets -- …             adds its passwords to existing secrets
and describe it in docs/architecture.md, in the diagram and the table.

Run these commands in a running cluster before the pods of the service start (docs/self-hosting/kubernetes.md, "Releases
with a new service"), and mention them in UPGRADING.md:
${readRolloutCommands()}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
