import { startMailbox } from './mailbox.ts';

const { MAILBOX_SMTP_PORT, MAILBOX_WEB_PORT, MAILBOX_FOLDER } = process.env;
if (!MAILBOX_SMTP_PORT || !MAILBOX_WEB_PORT || !MAILBOX_FOLDER) {
  throw new Error('MAILBOX_SMTP_PORT, MAILBOX_WEB_PORT and MAILBOX_FOLDER are needed');
}
const mailbox = await startMailbox({
  smtpPort: Number(MAILBOX_SMTP_PORT),
  webPort: Number(MAILBOX_WEB_PORT),
  folder: MAILBOX_FOLDER,
});
console.log(`mailbox at ${mailbox.webUrl}`);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void mailbox.stop().then(() => process.exit(0)));
