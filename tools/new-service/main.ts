import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/local/backing/toolbox';
import { makeService } from './make-service.ts';

const [name] = process.argv.slice(2);
if (!name || name.startsWith('-')) {
  console.log(
    'npm run new:service -- <name>   such as "polls": a service with one resource, its contract, event and tests',
  );
  process.exit(name === '--help' ? 0 : 64);
}
try {
  const { made, missed } = await makeService(CHECKOUT, name);
  // The lists were changed by text, so the formatter has the last word.
  const biome = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome');
  spawnSync(
    process.execPath,
    [
      biome,
      'check',
      '--write',
      '--log-level=none',
      'proto-events',
      'gateway',
      'deploy/local',
      'tests/deploy',
      '.vscode',
      `services/${name}`,
    ],
    { cwd: CHECKOUT },
  );
  spawnSync(process.execPath, [join(CHECKOUT, 'tests/configuration/write-table.ts')], { cwd: CHECKOUT });
  // In a process of its own, for this one has read the list of before.
  spawnSync(process.execPath, [join(CHECKOUT, 'deploy/local/backing/write-nats-users.ts')], { cwd: CHECKOUT });
  console.log(`Made:\n${made.map((file) => `  ${file}`).join('\n')}`);
  if (missed.length) console.log(`Enter it by hand in:\n${missed.map((file) => `  ${file}`).join('\n')}`);
  console.log(`\nNext:
  npm install                      links the new workspace
  npm test -- ${name.padEnd(20)} its own tests
  npm run check:deploy             its manifest, its place in compose and skaffold, its lines and secrets
  npm run secrets -- …             what was made before lacks its passwords: run it once more`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
