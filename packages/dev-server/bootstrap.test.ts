import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECKOUT } from './backing/launcher-context.ts';
import { isAlive } from './process-manager/alive.ts';
import { waitUntil } from './process-manager/wait-until.ts';

const NPM = `#!/bin/sh
echo called >> calls
sleep 0.5
mkdir -p node_modules/.bin
printf '#!/bin/sh\\nexec "${process.execPath}" "$@"\\n' > node_modules/.bin/node
chmod +x node_modules/.bin/node
`;
const START = `
  const [mode] = process.argv.slice(2);
  if (mode === 'wait') {
    process.on('SIGTERM', () => { console.log('asked to end'); process.exit(5); });
    process.on('disconnect', () => { console.log('orphaned'); process.exit(6); });
    setInterval(() => undefined, 1000);
  }
  // Last, so that everything is set up when the test reads it.
  console.log('started ' + process.pid + ' ' + process.argv.slice(2).join(','));
  if (mode === 'code') process.exit(7);
`;

describe('bootstrap', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'atrium-bootstrap-'));
    for (const folder of ['packages/dev-server', 'bin']) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['bootstrap.mjs', 'lock.mjs'])
      copyFileSync(join(CHECKOUT, 'packages/dev-server', file), join(root, 'packages/dev-server', file));
    writeFileSync(join(root, 'packages/dev-server/start.ts'), START);
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
    writeFileSync(join(root, 'bin/npm'), NPM);
    chmodSync(join(root, 'bin/npm'), 0o755);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const start = (...args: string[]): { child: ChildProcess; ended: Promise<number | null>; text: () => string } => {
    const env = { PATH: `${join(root, 'bin')}:/usr/bin:/bin` };
    const child = spawn(process.execPath, [join(root, 'packages/dev-server/bootstrap.mjs'), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, ended, text: () => text };
  };
  const countInstalls = () =>
    existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').split('\n').length - 1 : 0;
  const waitForStart = async (text: () => string): Promise<number> => {
    await waitUntil(async () => expect(text()).toMatch(/started \d+ .*\n/), { timeoutMs: 20_000 });
    return Number(/started (\d+)/.exec(text())?.[1]);
  };

  it('installs once for concurrent starts, and passes arguments and exit codes through', async () => {
    const starts = [start('start', 'code', '--demo'), start('start', 'code')];
    expect(await Promise.all(starts.map(({ ended }) => ended))).toEqual([7, 7]);
    expect(countInstalls()).toBe(1);
    expect(starts[0]?.text()).toMatch(/started \d+ code,--demo/);
  });

  it('installs again only when the lock file has changed', async () => {
    await start('start').ended;
    await start('start').ended;
    expect(countInstalls()).toBe(1);
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/a":{"version":"1.1.0"}}}');
    await start('start').ended;
    expect(countInstalls()).toBe(2);
  });

  it('accepts a manual installation that matches the lock file', async () => {
    await start('start').ended;
    const lock =
      '{"packages":{"":{"name":"x"},"node_modules/a":{"version":"2.0.0"},"node_modules/b":{"version":"1.0.0","optional":true}}}';
    writeFileSync(join(root, 'package-lock.json'), lock);
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"packages":{"node_modules/a":{"version":"2.0.0"}}}');
    await start('start').ended;
    expect(countInstalls()).toBe(1);
  });

  it('forwards a signal and waits for the command to end', async () => {
    const { child, ended, text } = start('start', 'wait');
    await waitForStart(text);
    child.kill('SIGTERM');
    expect(await ended).toBe(5);
    expect(text()).toContain('asked to end');
  });

  it('ends the command when it is killed with SIGKILL', async () => {
    const { child, text } = start('start', 'wait');
    const pid = await waitForStart(text);
    child.kill('SIGKILL');
    await waitUntil(async () => expect(isAlive(pid)).toBe(false), { timeoutMs: 20_000 });
  });

  it('prints the available commands for an unknown command', async () => {
    const { ended, text } = start('stop');
    expect(await ended).toBe(64);
    const { scripts } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { scripts: object };
    const commandsInPackageJson = Object.values(scripts).flatMap(
      (line: string) => /bootstrap\.mjs (\S+)$/.exec(line)?.[1] ?? [],
    );
    expect(commandsInPackageJson).toEqual(expect.arrayContaining(['start', 'test', 'backup']));
    const [, names = ''] = /bootstrap\.mjs (\S+) \[arguments\]/.exec(text()) ?? [];
    expect(names.split('|').sort()).toEqual(commandsInPackageJson.sort());
  });
});
