import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { makeService } from './make-service.ts';

const finish = (program: string, ...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(CHECKOUT, program), ...args], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
};

const rollOut = (): string => {
  const page = readFileSync(join(CHECKOUT, 'docs/self-hosting/kubernetes.md'), 'utf8');
  const [, commands] = /### Releases with a new service\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  if (!commands) throw new Error('docs/self-hosting/kubernetes.md has no commands in "Releases with a new service"');
  return commands.trimEnd().replace(/^/gm, '  ');
};

const [name] = process.argv.slice(2);
if (!name || name.startsWith('-')) {
  console.log(
    'npm run generate:service -- <name>   such as "polls": a service with one resource, its contract, event and tests',
  );
  process.exit(name === '--help' ? 0 : 64);
}
try {
  const { made, changed, missed } = await makeService(CHECKOUT, name);
  // The lists are edited as text, so they need formatting.
  const known = '--files-ignore-unknown=true';
  finish('node_modules/@biomejs/biome/bin/biome', 'check', '--write', known, ...made, ...changed);
  finish('tools/configuration-table/main.ts');
  finish('packages/dev-server/backing/servers/write-nats-users.ts');
  const list = (files: readonly string[]) => files.map((file) => `  ${file}`).join('\n');
  console.log(`Created:\n${list(made)}\nChanged:\n${list(changed)}`);
  if (missed.length) console.log(`Add the service manually in:\n${list(missed)}`);
  console.log(`\nNext:
  npm install                      links the new workspace
  npm test -- ${name.padEnd(20)} runs its own tests
  npm test                         runs everything, with the checks of its list entries, manifest, network paths, and secrets
  npm run secrets -- …             adds its passwords to existing secrets
and describe it in docs/architecture.md, in the diagram and the table.

Run these commands in a running cluster before its pods start (docs/self-hosting/kubernetes.md, "Releases with a new service"), and mention
them in UPGRADING.md:
${rollOut()}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
