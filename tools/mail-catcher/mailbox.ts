import { listen } from '@atrium/service-kit/process/http-server';
import { SMTPServer } from 'smtp-server';
import { createMailStore, type MailStore } from './mail-store.ts';
import { createWebServer } from './web.ts';

const MAX_MESSAGE_BYTES = 50 * 1024 * 1024;

function createReceiver(store: MailStore): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MESSAGE_BYTES,
    closeTimeout: 1_000,
    onAuth: (auth, _session, done) => done(null, { user: auth.username }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('The email is too large'), { responseCode: 552 }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        store.save({ recipients, raw: Buffer.concat(chunks) }).then(() => done(), done);
      });
    },
  });
  // A connection reset by one sender would end a process without a listener.
  server.on('error', (error) => console.error(`Connection of a sender failed: ${error.message}`));
  return server;
}

interface MailboxOptions {
  host?: string;
  smtpPort: number;
  webPort: number;
  folder: string;
  token: string;
}

/** Starts a mail server that delivers nothing. It stores every email in a folder and shows it on a web page. */
export const startMailbox = async ({ host = '127.0.0.1', smtpPort, webPort, folder, token }: MailboxOptions) => {
  const store = await createMailStore(folder);
  const receiver = createReceiver(store);
  const web = createWebServer({ store, token });
  const [smtp, page] = await Promise.all([listen(receiver.server, smtpPort, host), listen(web, webPort, host)]);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp}`,
    webUrl: `http://127.0.0.1:${page}/${token}`,
    stop: async (): Promise<void> => {
      web.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => receiver.close(() => resolve())),
        new Promise<void>((resolve) => web.close(() => resolve())),
      ]);
    },
  };
};
