// A launcher for the test of the guardian: it starts a process that has a child of its own, says their ids, and waits.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedProcess } from './managed-process.ts';
import { createGuard } from './reaper-client.ts';

const CHILD = `
  const { spawn } = require('node:child_process');
  const grandchild = spawn('sleep', ['300']);
  console.log(process.pid + ' ' + grandchild.pid);
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
`;

const guard = createGuard();
const folder = mkdtempSync(join(tmpdir(), 'atrium-guard-'));
guard.addFolder(folder);
let told: (line: string) => void = () => undefined;
const line = new Promise<string>((resolve) => {
  told = resolve;
});
const part = new ManagedProcess(
  {
    name: 'stubborn',
    file: process.execPath,
    args: ['-e', CHILD],
    env: process.env,
    answers: async () => void (await line),
  },
  { guard, listener: { line: (_, text) => told(text), say: () => undefined } },
);
await part.start();
console.log(`${guard.pid()} ${await line} ${folder}`);
let guardian = guard.pid();
setInterval(() => {
  if (guard.pid() === guardian) return;
  guardian = guard.pid();
  console.log('guarded again');
}, 20);
