import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';

const SERVER = fileURLToPath(new URL('./paused-server.ts', import.meta.url));
const PAUSE_MS = 2_500;

const resources = closeAfterEach();

async function startServer(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  resources.push({ close: () => child.kill('SIGKILL') });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(String(line)) };
}

/** Sends a request like the gateway. */
function send(port: number, path: string, agent: Agent) {
  const clientRequest = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    agent,
    headers: { 'content-length': '2' },
  });
  const response = new Promise<string>((resolve, reject) => {
    clientRequest.once('error', reject);
    clientRequest.once('response', async (message: IncomingMessage) => {
      let text = '';
      for await (const chunk of message.setEncoding('utf8')) text += chunk;
      resolve(text);
    });
  });
  response.catch(() => undefined);
  clientRequest.end('{}');
  return { clientRequest, response };
}

describe('a process that resumes after a pause', () => {
  it.each([
    ['kept-alive connections', true],
    ['new connections', false],
  ])('handles requests of connected clients, and none of disconnected ones (%s)', async (_description, keepAlive) => {
    const { child, port } = await startServer();
    const agent = new Agent({ keepAlive, maxSockets: 20 });
    resources.push({ close: () => agent.destroy() });
    const earlierResponses = Array.from({ length: 8 }, (_, index) => send(port, `/before-${index}`, agent).response);
    await Promise.all(earlierResponses);
    child.kill('SIGSTOP');
    const pausedAt = performance.now();
    const abandoned = Array.from({ length: 4 }, (_, index) => send(port, `/abandoned-${index}`, agent));
    const awaited = Array.from({ length: 4 }, (_, index) => send(port, `/awaited-${index}`, agent));
    await Promise.all(
      abandoned
        .concat(awaited)
        .map(({ clientRequest }) => clientRequest.writableFinished || once(clientRequest, 'finish')),
    );
    for (const { clientRequest } of abandoned) clientRequest.destroy();
    await waitFor(() => performance.now() - pausedAt > PAUSE_MS, { description: 'the pause to be long enough' });
    child.kill('SIGCONT');
    await Promise.all(awaited.map(({ response }) => response));
    const handledPaths = JSON.parse(await send(port, '/last', agent).response) as string[];
    expect(handledPaths.filter((path) => path.startsWith('/abandoned'))).toEqual([]);
    expect(handledPaths.filter((path) => path.startsWith('/awaited'))).toHaveLength(4);
  });
});
