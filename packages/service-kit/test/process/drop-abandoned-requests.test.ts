import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';

const SERVER = fileURLToPath(new URL('./paused-server.ts', import.meta.url));
const PAUSE_MS = 2_500;

const open = closeAfterEach();

async function startPaused(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  open.push({ close: () => child.kill('SIGKILL') });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(String(line)) };
}

/** A keep-alive connection, like the gateway's. */
function send(port: number, path: string, agent: Agent) {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path, agent, headers: { 'content-length': '2' } });
  const answered = new Promise<string>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', async (answer: IncomingMessage) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      resolve(text);
    });
  });
  answered.catch(() => undefined);
  sent.end('{}');
  return { sent, answered };
}

describe('a process that resumes after a pause', () => {
  it.each([
    ['kept connections', true],
    ['new connections', false],
  ])('handles requests of connected clients, and none of disconnected ones (%s)', async (_what, keepAlive) => {
    const { child, port } = await startPaused();
    const agent = new Agent({ keepAlive, maxSockets: 20 });
    open.push({ close: () => agent.destroy() });
    const before = Array.from({ length: 8 }, (_, index) => send(port, `/before-${index}`, agent).answered);
    await Promise.all(before);
    child.kill('SIGSTOP');
    const since = performance.now();
    const given = Array.from({ length: 4 }, (_, index) => send(port, `/given-up-${index}`, agent));
    const waiting = Array.from({ length: 4 }, (_, index) => send(port, `/waited-for-${index}`, agent));
    await Promise.all(given.concat(waiting).map(({ sent }) => sent.writableFinished || once(sent, 'finish')));
    for (const { sent } of given) sent.destroy();
    await waitFor(() => performance.now() - since > PAUSE_MS, { what: 'the pause to be long enough' });
    child.kill('SIGCONT');
    await Promise.all(waiting.map(({ answered }) => answered));
    const done = JSON.parse(await send(port, '/last', agent).answered) as string[];
    expect(done.filter((path) => path.startsWith('/given-up'))).toEqual([]);
    expect(done.filter((path) => path.startsWith('/waited-for'))).toHaveLength(4);
  });
});
