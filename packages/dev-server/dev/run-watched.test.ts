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
let said: string;

const mainFile = () => join(folder, 'src/main.ts');
/** As editors save that write beside a file and then put the new one into its place. */
const replace = (name: string, source: string) => {
  writeFileSync(join(folder, 'new'), source);
  renameSync(join(folder, 'new'), join(folder, 'src', name));
};
const DEV = join(CHECKOUT, 'packages/dev-server/dev');
/** Watches the program as `npm run dev` does, unless Node is told to do it otherwise. */
const watch = (...told: string[]) => {
  const given = told.length > 0 ? told : [join(DEV, 'watched.ts'), '--disable-warning=ExperimentalWarning', mainFile()];
  watched = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...given]);
  for (const stream of [watched.stdout, watched.stderr]) stream?.on('data', (text) => (said += String(text)));
};
const says = (words: string) => waitFor(async () => said.includes(words), { what: `${words} to be said in ${said}` });

const pidOf = (words: string) => Number(new RegExp(`${words} (\\d+)`).exec(said)?.[1]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-watched-'));
  mkdirSync(join(folder, 'src'));
  replace('words.ts', `export const words: string = 'first';`);
  replace(
    'main.ts',
    `import { words } from './words.ts'; console.log(words, process.pid); setInterval(() => undefined, 1e6);`,
  );
  said = '';
});

afterEach(async () => {
  if (watched?.exitCode === null) {
    watched.kill('SIGTERM');
    await once(watched, 'exit');
  }
  rmSync(folder, { recursive: true });
});

it('runs what is saved again and again in the place of a file, and waits where it cannot', async () => {
  watch();
  await says('first');
  replace('words.ts', `export const words: string = 'second';`);
  await says('second');
  replace('words.ts', `export const words: = 'third';`);
  await says(`Failed running '${mainFile()}'`);
  replace('words.ts', `export const words: string = 'fourth';`);
  await says('fourth');
});

it('ends with its program', async () => {
  watch();
  await says('first');
  const pid = pidOf('first');
  watched.kill('SIGTERM');
  await once(watched, 'exit');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('kills a program that does not end, for the next one and with itself', async () => {
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
  expect(said).toContain('is killed');
  expect(() => process.kill(pidOf('new'), 0)).toThrow('ESRCH');
});

it('starts once for everything that is saved while it stops', async () => {
  const did: string[] = [];
  let isGone = Promise.withResolvers<void>();
  const restart = createRestart({
    stop: () => {
      did.push('stop');
      return isGone.promise;
    },
    start: () => void did.push('start'),
  });
  const asked = [restart(), restart(), restart()];
  isGone.resolve();
  await Promise.all(asked);
  expect(did).toEqual(['stop', 'start']);
  isGone = Promise.withResolvers<void>();
  isGone.resolve();
  await restart();
  expect(did).toEqual(['stop', 'start', 'stop', 'start']);
});
