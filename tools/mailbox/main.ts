import { startMailbox } from './mailbox.ts';

const { MAILBOX_HOST = '127.0.0.1', MAILBOX_SMTP_PORT, MAILBOX_WEB_PORT, MAILBOX_FOLDER, MAILBOX_TOKEN } = process.env;
if (!MAILBOX_SMTP_PORT || !MAILBOX_WEB_PORT || !MAILBOX_FOLDER || !MAILBOX_TOKEN) {
  throw new Error('MAILBOX_SMTP_PORT, MAILBOX_WEB_PORT, MAILBOX_FOLDER and MAILBOX_TOKEN are needed');
}
const mailbox = await startMailbox({
  host: MAILBOX_HOST,
  smtpPort: Number(MAILBOX_SMTP_PORT),
  webPort: Number(MAILBOX_WEB_PORT),
  folder: MAILBOX_FOLDER,
  token: MAILBOX_TOKEN,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void mailbox.stop().then(() => process.exit(0)));
