import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';
import { ask } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const started: ChildProcessByStdio<null, Readable, Readable>[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Line = { msg: string; port?: number; requestId?: string; clientError?: unknown };
type Running = {
  child: ChildProcessByStdio<null, Readable, Readable>;
  lines: () => Line[];
  complaint: () => string;
  code: Promise<number | null>;
};

/** Runs the gateway as a process with an environment. */
function run(env: Record<string, string>): Running {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  return {
    child,
    lines: () =>
      output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line),
    complaint: () => complaint,
    // Not `exit`: output may still arrive after it.
    code: new Promise((resolve) => child.once('close', resolve)),
  };
}

describe('the gateway process', () => {
  it('lists all configuration errors at once and does not start', async () => {
    const { complaint, code } = run({
      PORT: 'many',
      AUTH_URL: 'nowhere',
      TRUSTED_PROXIES: '10.0.0.0/8,proxy.example.org',
      S3_BUCKET: '../x',
    });
    expect(await code).toBe(78);
    for (const name of ['PORT', 'INTERNAL_PORT', 'AUTH_URL', 'USERS_URL', 'TRUSTED_PROXIES', 'S3_BUCKET']) {
      expect(complaint()).toContain(`${name}:`);
    }
  });

  it('logs a client error as JSON with the request id, and stops on a signal', async () => {
    const { child, lines, code } = run({ ...gateway.env, LOG_LEVEL: 'info' });
    const ready = await waitFor(() => lines().find(({ msg }) => msg === 'ready'), { what: 'the gateway to be ready' });
    const answer = await ask(`http://127.0.0.1:${ready.port}`, {
      method: 'POST',
      path: '/api/client-errors',
      body: JSON.stringify({ message: 'broken\n{"level":60}', path: '/chat' }),
      headers: { 'content-type': 'application/json', 'x-request-id': 'browser-0001' },
    });
    expect(answer.status).toBe(204);
    const line = await waitFor(() => lines().find(({ clientError }) => clientError), { what: 'the log line' });
    expect(line).toMatchObject({
      service: 'gateway',
      requestId: 'browser-0001',
      clientError: { message: 'broken\n{"level":60}', path: '/chat' },
    });
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });

  it('closes connections after each response while it shuts down', async () => {
    const going = await startGateway(readConfig({ ...gateway.env, DRAIN_SECONDS: '1' }));
    const agent = new Agent({ keepAlive: true });
    const call = async () => {
      const { status, headers } = await ask(going.url, { path: '/api/auth/anything', agent });
      return [status, headers.connection];
    };
    expect(await call()).toEqual([200, 'keep-alive']);
    const stopped = going.close();
    expect(await call()).toEqual([200, 'close']);
    await stopped;
    agent.destroy();
  });
});
