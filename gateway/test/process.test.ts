import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';
import { sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const startedProcesses: ChildProcessByStdio<null, Readable, Readable>[] = [];
afterEach(() => {
  for (const child of startedProcesses.splice(0)) child.kill('SIGKILL');
});

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type LogLine = { msg: string; port?: number; requestId?: string; clientError?: unknown };
type RunningProcess = {
  child: ChildProcessByStdio<null, Readable, Readable>;
  lines: () => LogLine[];
  errorOutput: () => string;
  code: Promise<number | null>;
};

/** Runs the gateway as a separate process. */
function startProcess(env: Record<string, string>): RunningProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  startedProcesses.push(child);
  let output = '';
  let errorOutput = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    errorOutput += String(chunk);
  });
  return {
    child,
    lines: () =>
      output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LogLine),
    errorOutput: () => errorOutput,
    // Waits for `close`, because output may still arrive after `exit`.
    code: new Promise((resolve) => child.once('close', resolve)),
  };
}

describe('the gateway process', () => {
  it('lists all configuration errors together and does not start', async () => {
    const { errorOutput, code } = startProcess({
      PORT: 'many',
      AUTH_URL: 'nowhere',
      TRUSTED_PROXIES: '10.0.0.0/8,proxy.example.org',
      S3_BUCKET: '../x',
    });
    expect(await code).toBe(78);
    for (const name of ['PORT', 'INTERNAL_PORT', 'AUTH_URL', 'USERS_URL', 'TRUSTED_PROXIES', 'S3_BUCKET']) {
      expect(errorOutput()).toContain(`${name}:`);
    }
  });

  it('logs a client error as JSON with the request id, and stops on a signal', async () => {
    const { child, lines, code } = startProcess({ ...gateway.env, LOG_LEVEL: 'info' });
    const ready = await waitFor(() => lines().find(({ msg }) => msg === 'ready'), {
      description: 'the gateway to be ready',
    });
    const response = await sendRequest(`http://127.0.0.1:${ready.port}`, {
      method: 'POST',
      path: '/api/client-errors',
      body: JSON.stringify({ message: 'broken\n{"level":60}', path: '/chat' }),
      headers: { 'content-type': 'application/json', 'x-request-id': 'browser-0001' },
    });
    expect(response.status).toBe(204);
    const line = await waitFor(() => lines().find(({ clientError }) => clientError), { description: 'the log line' });
    expect(line).toMatchObject({
      service: 'gateway',
      requestId: 'browser-0001',
      clientError: { message: 'broken\n{"level":60}', path: '/chat' },
    });
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });

  it('closes each connection after its response while it shuts down', async () => {
    const stoppingGateway = await startGateway(readConfig({ ...gateway.env, DRAIN_SECONDS: '1' }));
    const agent = new Agent({ keepAlive: true });
    const call = async () => {
      const { status, headers } = await sendRequest(stoppingGateway.url, { path: '/api/auth/anything', agent });
      return [status, headers.connection];
    };
    expect(await call()).toEqual([200, 'keep-alive']);
    const stoppedPromise = stoppingGateway.close();
    expect(await call()).toEqual([200, 'close']);
    await stoppedPromise;
    agent.destroy();
  });
});
