import { readConfig } from './config.ts';
import { startMailbox } from './mailbox.ts';

const config = readConfig(process.env);
const mailbox = await startMailbox({
  host: config.MAILBOX_HOST,
  smtpPort: config.MAILBOX_SMTP_PORT,
  webPort: config.MAILBOX_WEB_PORT,
  folder: config.MAILBOX_FOLDER,
  token: config.MAILBOX_TOKEN,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void mailbox.stop().then(() => process.exit(0)));
