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
const waitForOutput = (words: string) =>
  waitFor(async () => output.includes(words), { description: `${words} in ${output}` });

const findPid = (words: string) => Number(new RegExp(`${words} (\\d+)`).exec(output)?.[1]);

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

it('runWatched restarts the program after a file is replaced, even after a failed start', async () => {
  watch();
  await waitForOutput('first');
  replace('words.ts', `export const words: string = 'second';`);
  await waitForOutput('second');
  replace('words.ts', `export const words: = 'third';`);
  await waitForOutput(`Failed running '${mainFile()}'`);
  replace('words.ts', `export const words: string = 'fourth';`);
  await waitForOutput('fourth');
});

it('runWatched stops the program when it is stopped itself', async () => {
  watch();
  await waitForOutput('first');
  const pid = findPid('first');
  watched.kill('SIGTERM');
  await once(watched, 'exit');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('runWatched kills a program that ignores SIGTERM, on restart and on exit', async () => {
  const ignoreSigterm = `process.on('SIGTERM', () => console.log('deaf'));`;
  replace('main.ts', `${ignoreSigterm} console.log('old', process.pid); setInterval(() => undefined, 1e6);`);
  const program = JSON.stringify(join(DEV, 'run-watched.ts'));
  const main = JSON.stringify(mainFile());
  const script = `import { runWatched } from ${program}; runWatched(${main}, { killAfterMs: 500 });`;
  watch('--input-type=module', '-e', script);
  await waitForOutput('old');
  replace('main.ts', `${ignoreSigterm} console.log('new', process.pid); setInterval(() => undefined, 1e6);`);
  await waitForOutput('new');
  expect(() => process.kill(findPid('old'), 0)).toThrow('ESRCH');
  watched.kill('SIGTERM');
  await once(watched, 'exit');
  expect(output).toContain('is killed');
  expect(() => process.kill(findPid('new'), 0)).toThrow('ESRCH');
});

it('createRestart starts the program once for all files saved while it stops', async () => {
  const calls: string[] = [];
  let stopping = Promise.withResolvers<void>();
  const restart = createRestart({
    stop: () => {
      calls.push('stop');
      return stopping.promise;
    },
    start: () => void calls.push('start'),
  });
  const restarts = [restart(), restart(), restart()];
  stopping.resolve();
  await Promise.all(restarts);
  expect(calls).toEqual(['stop', 'start']);
  stopping = Promise.withResolvers<void>();
  stopping.resolve();
  await restart();
  expect(calls).toEqual(['stop', 'start', 'stop', 'start']);
});
