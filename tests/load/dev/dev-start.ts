import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { waitUntil } from '@atrium/dev-server/process-manager/wait-until';
import { z } from 'zod';

const START_MS = 300_000;
const END_MS = 60_000;
const ports = z.record(z.string(), z.number());

/** A separate development start for measurements. */
export interface DevStart {
  url: string;
  /** The readiness URL of a process. */
  probe(name: string): string;
  text(): string;
  /** Sends Ctrl-C and waits until every process has ended. */
  end(): Promise<void>;
}

/** Starts `npm run dev` with its own data, which is deleted afterwards. */
export const startDev = async (): Promise<DevStart> => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-dev-'));
  const env = { ...process.env, ATRIUM_HOME: home, NO_COLOR: '1', LOG_LEVEL: 'info', PUBLIC_URL: '' };
  const child: ChildProcess = spawn(process.execPath, [join(CHECKOUT, 'packages/dev-server/dev.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const end = async () => {
    child.kill('SIGINT');
    const ended = async () => {
      if (child.exitCode === null && child.signalCode === null) throw new Error('still running');
    };
    await waitUntil(ended, { withinMs: END_MS });
    rmSync(home, { recursive: true, force: true });
  };
  const isUp = async () => {
    if (!text.includes('Ctrl-C stops everything')) throw new Error(`npm run dev failed to start:\n${text}`);
  };
  try {
    await waitUntil(isUp, { withinMs: START_MS, giveUp: () => child.exitCode !== null });
  } catch (error) {
    await end();
    throw error;
  }
  const known = ports.parse(JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8')));
  return {
    url: / {2}Atrium +(http\S+)/.exec(text)?.[1] ?? '',
    probe: (name) => `http://127.0.0.1:${known[name === 'gateway' ? 'gateway-internal' : name]}/readyz`,
    text: () => text,
    end,
  };
};
