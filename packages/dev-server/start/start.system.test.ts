import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { externalDataDir } from '../backing/servers/unprivileged.ts';
import { isAlive } from '../process-manager/alive.ts';
import { waitUntil } from '../process-manager/wait-until.ts';

const START_MS = 120_000;
const MAX_RESTART_SECONDS = 45;

interface Running {
  process: ChildProcess;
  url: string;
  seconds: number;
  text: () => string;
}

const below = (pid: number): number[] => {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const children = (parent: number): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...children(child)]);
  return children(pid);
};

describe('npm start', () => {
  // Private to this account, like a clone in root's home folder.
  const home = mkdtempSync(join(tmpdir(), 'atrium-start-'));
  const started: ChildProcess[] = [];
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number[]> => {
    const pids = below(child.pid ?? 0);
    child.kill(signal);
    await waitUntil(async () => expect(pids.filter(isAlive)).toEqual([]), { withinMs: 40_000 });
    return pids;
  };

  const launch = (...args: string[]): { process: ChildProcess; text: () => string } => {
    const env = {
      ...process.env,
      ATRIUM_HOME: home,
      NODE_OPTIONS: '',
      NO_COLOR: '1',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: '',
    };
    const child = spawn(process.execPath, [join(CHECKOUT, 'packages/dev-server/start.ts'), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    return { process: child, text: () => text };
  };

  const start = async (): Promise<Running> => {
    const startedAt = Date.now();
    const { process: child, text } = launch();
    await waitUntil(async () => expect(text()).toContain('Ctrl-C stops everything'), {
      withinMs: START_MS,
      giveUp: () => child.exitCode !== null,
    }).catch(() => Promise.reject(new Error(text())));
    const url = /Atrium {4}(http:\S+)/.exec(text())?.[1] ?? '';
    return { process: child, url, seconds: (Date.now() - startedAt) / 1000, text };
  };

  let running: Running;
  beforeAll(async () => {
    // World-readable, as in a copied folder.
    mkdirSync(join(home, 'mailbox'));
    chmodSync(join(home, 'mailbox'), 0o755);
    writeFileSync(join(home, 'ports.json'), '{}', { mode: 0o644 });
    running = await start();
  }, START_MS + 10_000);
  afterAll(async () => {
    for (const child of started) if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM');
    rmSync(home, { recursive: true });
    rmSync(externalDataDir(home), { recursive: true, force: true });
  });

  it('prints addresses and the first step, and serves them', async () => {
    expect(running.text()).toContain(`Open ${running.url} to set up the first administrator.`);
    expect(running.text()).toMatch(/Mailbox {3}http:\/\/127\.0\.0\.1:\d+/);
    expect(await (await fetch(`${running.url}/api/health`)).json()).toMatchObject({ status: 'ok' });
    expect(await (await fetch(running.url)).text()).toContain('<div id="root">');
  });

  it('hides its files from other accounts', () => {
    const open = readdirSync(home, { withFileTypes: true })
      .filter(({ name }) => !/^(postgres|program)-/.test(name))
      .filter(({ name }) => (statSync(join(home, name)).mode & 0o077) !== 0);
    expect(open.map(({ name }) => name)).toEqual([]);
    const inFolders = process.env.ATRIUM_BACKING_PROVIDER === 'container' ? [] : ['objects', 'nats'];
    for (const name of ['secrets.json', 'ports.json', 'mailbox', ...inFolders])
      expect(readdirSync(home)).toContain(name);
    for (const name of inFolders.filter((folder) => folder === 'nats'))
      expect(statSync(join(home, name, 'nats.conf')).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o066).toBe(0);
  });

  it('shows the mailbox only at its secret address', async () => {
    const address = /Mailbox {3}(http:\S+)/.exec(running.text())?.[1] ?? '';
    expect((await fetch(`${address}/api/messages`)).status).toBe(200);
    expect((await fetch(new URL('/api/messages', address))).status).toBe(404);
    expect((await fetch(new URL('/', address))).status).toBe(404);
  });

  it('prints its address when started again in the same folder', async () => {
    const second = launch();
    await waitUntil(async () => expect(second.process.exitCode).toBe(0), { withinMs: 40_000 });
    expect(second.text()).toContain('Atrium is already running from this folder');
    expect(second.text()).toContain(running.url);
  });

  it('restarts a killed service and reports it', async () => {
    const row = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .find((line) => line.includes(` ${running.process.pid} `) && line.includes('services/users/src/main.ts'));
    process.kill(Number(row?.trim().split(' ')[0]), 'SIGKILL');
    await waitUntil(async () => expect(running.text()).toMatch(/users +│ is ready again after/), { withinMs: 60_000 });
    expect(running.text()).toMatch(/users +│ was ended by SIGKILL; restarting in 0\.3 s/);
  });

  it(
    'leaves no process after SIGKILL, and starts again with its data',
    async () => {
      const body = { email: 'maya@example.org', password: 'Working#Day1', firstName: 'Maya', lastName: 'Okafor' };
      const headers = { 'content-type': 'application/json' };
      const registered = await fetch(`${running.url}/api/auth/register`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(registered.status).toBe(201);

      const pids = await end(running.process, 'SIGKILL');
      expect(pids.length).toBeGreaterThanOrEqual(14);

      running = await start();
      expect(running.text()).toContain(`Open ${running.url} and sign in.`);
      expect(running.seconds).toBeLessThan(MAX_RESTART_SECONDS);
      const login = await fetch(`${running.url}/api/auth/login`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(login.status).toBe(200);
    },
    START_MS + 60_000,
  );

  it('stops everything in order on Ctrl-C', async () => {
    await end(running.process, 'SIGINT');
    await waitUntil(async () => expect(running.process.exitCode).toBe(0), { withinMs: 20_000 });
    expect(running.text()).toContain('Stopping (SIGINT)');
    expect(running.text()).not.toContain('did not stop in time');
    expect(() => readFileSync(join(home, 'launcher.json'))).toThrow(/ENOENT/);
  });

  it('rejects a port that is in use', async () => {
    const { createServer } = await import('node:net');
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const refused = launch('--port', String(port));
    await waitUntil(async () => expect(refused.process.exitCode).toBe(1), { withinMs: 40_000 });
    expect(refused.text()).toContain(`Port ${port} is in use.`);
    server.close();
  });
});
