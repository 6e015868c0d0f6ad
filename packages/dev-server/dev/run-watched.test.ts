import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { createRestart } from './run-watched.ts';

let folder: string;
let watched: ChildProcess;
let output: string;

const mainFile = () => join(folder, 'src/main.ts');
const replace = (name: string, source: string) => {
  writeFileSync(join(folder, 'new'), source);
  renameSync(join(folder, 'new'), join(folder, 'src', name));
};
const DEV = join(CHECKOUT, 'packages/dev-server/dev');
const watch = (...nodeArgs: string[]) => {
  const args =
    nodeArgs.length > 0 ? nodeArgs : [join(DEV, 'watched.ts'), '--disable-warning=ExperimentalWarning', mainFile()];
  watched = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args]);
  for (const stream of [watched.stdout, watched.stderr]) stream?.on('data', (text) => (output += String(text)));
};
const says = (words: string) => waitFor(async () => output.includes(words), { description: `${words} in ${output}` });

const pidOf = (words: string) => Number(new RegExp(`${words} (\\d+)`).exec(output)?.[1]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-watched-'));
  mkdirSync(join(folder, 'src'));
  replace('words.ts', `export const words: string = 'first';`);
  replace(
    'main.ts',
    `import { words } from './words.ts'; console.log(words, process.pid); setInterval(() => undefined, 1e6);`,
  );
  output = '';
});

afterEach(async () => {
  if (watched?.exitCode === null) {
    watched.kill('SIGTERM');
    await once(watched, 'exit');
  }
  rmSync(folder, { recursive: true });
});

it('restarts after every replaced file, and waits after a failure', async () => {
  watch();
  await says('first');
  replace('words.ts', `export const words: string = 'second';`);
  await says('second');
  replace('words.ts', `export const words: = 'third';`);
  await says(`Failed running '${mainFile()}'`);
  replace('words.ts', `export const words: string = 'fourth';`);
  await says('fourth');
});

it('ends its program when it ends', async () => {
  watch();
  await says('first');
  const pid = pidOf('first');
  watched.kill('SIGTERM');
  await once(watched, 'exit');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('kills a program that ignores SIGTERM, on restart and at its own end', async () => {
  const deaf = `process.on('SIGTERM', () => console.log('deaf'));`;
  replace('main.ts', `${deaf} console.log('old', process.pid); setInterval(() => undefined, 1e6);`);
  const [program, main] = [join(DEV, 'run-watched.ts'), mainFile()].map((file) => JSON.stringify(file));
  const patience = `import { runWatched } from ${program}; runWatched(${main}, { killAfterMs: 500 });`;
  watch('--input-type=module', '-e', patience);
  await says('old');
  replace('main.ts', `${deaf} console.log('new', process.pid); setInterval(() => undefined, 1e6);`);
  await says('new');
  expect(() => process.kill(pidOf('old'), 0)).toThrow('ESRCH');
  watched.kill('SIGTERM');
  await once(watched, 'exit');
  expect(output).toContain('is killed');
  expect(() => process.kill(pidOf('new'), 0)).toThrow('ESRCH');
});

it('restarts once for all files saved while it stops', async () => {
  const did: string[] = [];
  let isGone = Promise.withResolvers<void>();
  const restart = createRestart({
    stop: () => {
      did.push('stop');
      return isGone.promise;
    },
    start: () => void did.push('start'),
  });
  const restarts = [restart(), restart(), restart()];
  isGone.resolve();
  await Promise.all(restarts);
  expect(did).toEqual(['stop', 'start']);
  isGone = Promise.withResolvers<void>();
  isGone.resolve();
  await restart();
  expect(did).toEqual(['stop', 'start', 'stop', 'start']);
});
