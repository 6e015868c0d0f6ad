import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedProcess } from './managed-process.ts';
import { createReaperClient } from './reaper-client.ts';

const CHILD = `
  const { spawn } = require('node:child_process');
  const grandchild = spawn('sleep', ['300']);
  console.log(process.pid + ' ' + grandchild.pid);
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
`;

const reaper = createReaperClient();
const folder = mkdtempSync(join(tmpdir(), 'atrium-reaper-'));
reaper.addFolder(folder);
let resolveLine: (line: string) => void = () => undefined;
const line = new Promise<string>((resolve) => {
  resolveLine = resolve;
});
const managedProcess = new ManagedProcess(
  {
    name: 'stubborn',
    file: process.execPath,
    args: ['-e', CHILD],
    env: process.env,
    checkReady: async () => void (await line),
  },
  { reaper, listener: { line: (_, text) => resolveLine(text), log: () => undefined } },
);
await managedProcess.start();
console.log(`${reaper.pid()} ${await line} ${folder}`);
let reaperPid = reaper.pid();
setInterval(() => {
  if (reaper.pid() === reaperPid) return;
  reaperPid = reaper.pid();
  console.log('reaper restarted');
}, 20);
