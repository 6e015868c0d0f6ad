import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address, BackingServer } from '../server.ts';

const MAIN = fileURLToPath(new URL('../../../../tools/mail-catcher/main.ts', import.meta.url));

const checkWeb = async ({ webUrl }: Address): Promise<void> => {
  const response = await fetch(new URL('/readyz', webUrl), { signal: AbortSignal.timeout(2_000) });
  if (!response.ok) throw new Error(`The mail catcher responds with status ${response.status}`);
};

export const mailCatcher: BackingServer = {
  name: 'mailbox',
  title: 'A mail server for development',
  envVariables: 'SMTP_URL',
  getAddressFromEnv: ({ SMTP_URL: url, MAILBOX_URL: webUrl }) =>
    url ? { url, ...(webUrl ? { webUrl } : {}) } : undefined,
  providers: [async () => ({ provider: 'built-in', file: process.execPath, version: '1' })],
  async launch(program, context) {
    const smtpPort = await context.ports.reserve('mailbox-smtp');
    const webPort = await context.ports.reserve('mailbox', context.durable ? 8025 : undefined);
    const folder = join(context.home, 'mailbox');
    await mkdir(folder, { recursive: true });
    const token = context.secrets.get('mailbox');
    const webUrl = `http://127.0.0.1:${webPort}/${token}`;
    const address = { url: `smtp://127.0.0.1:${smtpPort}`, webUrl };
    const env = {
      ...context.env,
      MAILBOX_SMTP_PORT: String(smtpPort),
      MAILBOX_WEB_PORT: String(webPort),
      MAILBOX_FOLDER: folder,
      MAILBOX_TOKEN: token,
    };
    return {
      address,
      spec: { file: program.file, args: [MAIN], env, stopTimeoutMs: 5_000, checkReady: () => checkWeb(address) },
    };
  },
  check: (address) => (address.webUrl ? checkWeb(address) : Promise.resolve()),
};
