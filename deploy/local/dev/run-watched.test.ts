import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/toolbox.ts';

let folder: string;
let watched: ChildProcess;
let said: string;

/** As editors save that write beside a file and then put the new one into its place. */
const replace = (name: string, source: string) => {
  writeFileSync(join(folder, 'new'), source);
  renameSync(join(folder, 'new'), join(folder, 'src', name));
};
const says = (words: string) => waitFor(async () => said.includes(words), { what: `${words} to be said in ${said}` });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-watched-'));
  mkdirSync(join(folder, 'src'));
  replace('words.ts', `export const words: string = 'first';`);
  replace(
    'main.ts',
    `import { words } from './words.ts'; console.log(words, process.pid); setInterval(() => undefined, 1e6);`,
  );
  said = '';
  const program = join(CHECKOUT, 'deploy/local/dev/watched.ts');
  watched = spawn(process.execPath, [program, '--disable-warning=ExperimentalWarning', join(folder, 'src/main.ts')]);
  for (const stream of [watched.stdout, watched.stderr]) stream?.on('data', (text) => (said += String(text)));
});

afterEach(async () => {
  if (watched.exitCode === null) {
    watched.kill('SIGTERM');
    await once(watched, 'exit');
  }
  rmSync(folder, { recursive: true });
});

it('runs what is saved again and again in the place of a file, and waits where it cannot', async () => {
  await says('first');
  replace('words.ts', `export const words: string = 'second';`);
  await says('second');
  replace('words.ts', `export const words: = 'third';`);
  await says(`Failed running '${join(folder, 'src/main.ts')}'`);
  replace('words.ts', `export const words: string = 'fourth';`);
  await says('fourth');
});

it('ends with its program', async () => {
  await says('first');
  const pid = Number(/first (\d+)/.exec(said)?.[1]);
  watched.kill('SIGTERM');
  await once(watched, 'exit');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
