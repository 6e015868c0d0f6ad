import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getCacheDir } from '@atrium/dev-server/backing/launcher-context';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

const execute = promisify(execFile);
const REQUIREMENTS = fileURLToPath(new URL('./mail-devel-requirements.txt', import.meta.url));

export type MailServer = { smtpUrl: string; imapUrl: string; close(): Promise<void> };

/**
 * Starts mail-devel from PyPI (aiosmtpd and pymap), which serves one mailbox over SMTP and IMAP. If it is unavailable,
 * because it needs Python 3 with pip and the network, this throws in CI and returns undefined elsewhere.
 */
export async function startMailServer(): Promise<MailServer | undefined> {
  const library = await fetchLibrary().catch((error: unknown) => {
    const reason = `mail-devel from PyPI is unavailable (it needs python3 with pip): ${String(error).trim().split('\n').at(-1)}`;
    if (process.env.CI) throw new Error(reason);
    process.stdout.write(`NOT TESTED with a mailbox: ${reason}\n`);
    return undefined;
  });
  if (library === undefined) return undefined;
  const smtpPort = await freePort();
  const imapPort = await freePort();
  const user = 'calendar@example.org';
  const password = 'test mailbox password';
  const ports = ['--smtp-port', String(smtpPort), '--imap-port', String(imapPort), '--no-http'];
  const args = ['-m', 'mail_devel', '--host', '127.0.0.1', ...ports, '--user', user, '--password', password];
  const server = spawn('python3', args, {
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: library },
    stdio: 'ignore',
  });
  const exit = once(server, 'exit');
  await waitFor(async () => (await isListening(smtpPort)) && (await isListening(imapPort)), {
    description: 'mail-devel to listen',
    timeoutMs: 30_000,
  });
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    imapUrl: `imap://${login}@127.0.0.1:${imapPort}/INBOX`,
    async close() {
      server.kill();
      await exit;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Downloads the library to the user's cache, to one folder per set of pinned versions. It is not installed, so that
 * this also works with an externally managed Python.
 */
async function fetchLibrary(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const cache = join(getCacheDir(), `mail-devel-${digest}`);
  if (existsSync(cache)) return cache;
  await mkdir(getCacheDir(), { recursive: true });
  const folder = await mkdtemp(`${cache}.staging-`);
  try {
    const pipOptions = [
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--target',
      folder,
      '--requirement',
      REQUIREMENTS,
    ];
    await execute('python3', ['-m', 'pip', 'install', ...pipOptions], { timeout: 180_000 });
    // A concurrent process may have created the folder first.
    await rename(folder, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error;
    });
    return cache;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
