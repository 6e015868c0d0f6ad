import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { fillDirectory } from './fill-directory.ts';
import { freePort } from './free-port.ts';
import type { TestTokens } from './tokens.ts';
import { serveKeys } from './tokens.ts';
import { waitFor } from './wait-for.ts';

type Options = {
  main: URL;
  env: Record<string, string>;
  tokens: TestTokens;
  users: readonly DirectoryUser[];
};

export type ServiceProcess = {
  url: string;
  tokens: TestTokens;
  output(): string;
  /** Sends the signal and returns the exit code, which is null after a kill. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
};

const START_TIMEOUT_MS = 60_000;

/** Starts a service as a process of its own, with the users in its directory. */
export async function startServiceProcess({ main, env, tokens, users }: Options): Promise<ServiceProcess> {
  await fillDirectory({ url: env.NATS_URL ?? '', prefix: env.NATS_PREFIX ?? '' }, users);
  const keys = await serveKeys(tokens.jwks);
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, PORT: String(port), AUTH_JWKS_URL: keys.url },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = `http://127.0.0.1:${port}`;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const isReady = async () => hasEnded() || (await fetch(`${url}/readyz`)).ok;
  try {
    // The timeout allows for concurrent starts on a busy machine. A process that cannot start exits.
    await waitFor(isReady, { description: 'the process to be ready', timeoutMs: START_TIMEOUT_MS });
    if (hasEnded()) throw new Error(`The process exited before it was ready: ${child.signalCode ?? child.exitCode}`);
  } catch (error) {
    // Otherwise Jest would wait for the process forever.
    child.kill('SIGKILL');
    keys.close();
    throw error;
  }
  return {
    url,
    tokens,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      keys.close();
      return child.exitCode;
    },
  };
}
