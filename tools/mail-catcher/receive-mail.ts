import { SMTPServer } from 'smtp-server';
import type { MailStore } from './mail-store.ts';

const MAX_MESSAGE_BYTES = 50 * 1024 * 1024;

/** Accepts every email for every recipient. Responds with 250 only after the email is stored. */
export function createReceiver(store: MailStore): SMTPServer {
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
        store.keep({ recipients, raw: Buffer.concat(chunks) }).then(() => done(), done);
      });
    },
  });
  // Without a listener, a connection reset by one sender would end the process.
  server.on('error', (error) => console.error(`Connection of a sender failed: ${error.message}`));
  return server;
}
