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
 * SMTP and IMAP of mail-devel on PyPI (aiosmtpd and pymap), with one mailbox for everything. Undefined if it is
 * unavailable (it needs Python 3 with pip, and the network); in CI it throws.
 */
export async function startMailServer(): Promise<MailServer | undefined> {
  const library = await fetchLibrary().catch((error: unknown) => {
    const reason = `mail-devel of PyPI is unavailable (it needs python3 with pip): ${String(error).trim().split('\n').at(-1)}`;
    if (process.env.CI) throw new Error(reason);
    process.stdout.write(`NOT TESTED with a mailbox: ${reason}\n`);
    return undefined;
  });
  if (library === undefined) return undefined;
  const [smtp, imap] = [await freePort(), await freePort()];
  const [user, password] = ['calendar@example.org', 'a mailbox of tests'];
  const ports = ['--smtp-port', String(smtp), '--imap-port', String(imap), '--no-http'];
  const args = ['-m', 'mail_devel', '--host', '127.0.0.1', ...ports, '--user', user, '--password', password];
  const server = spawn('python3', args, {
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: library },
    stdio: 'ignore',
  });
  const exit = once(server, 'exit');
  await waitFor(async () => (await answers(smtp)) && (await answers(imap)), {
    description: 'mail-devel',
    timeoutMs: 30_000,
  });
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp}`,
    imapUrl: `imap://${login}@127.0.0.1:${imap}/INBOX`,
    async close() {
      server.kill();
      await exit;
    },
  };
}

async function answers(port: number): Promise<boolean> {
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
 * In the user's cache, per set of pinned versions: nothing is installed, so that an externally managed Python works.
 */
async function fetchLibrary(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const cache = join(getCacheDir(), `mail-devel-${digest}`);
  if (existsSync(cache)) return cache;
  await mkdir(getCacheDir(), { recursive: true });
  const folder = await mkdtemp(`${cache}.making-`);
  try {
    const choice = [
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--target',
      folder,
      '--requirement',
      REQUIREMENTS,
    ];
    await execute('python3', ['-m', 'pip', 'install', ...choice], { timeout: 180_000 });
    // A concurrent process may have created it.
    await rename(folder, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error;
    });
    return cache;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
