import { SMTPServer } from 'smtp-server';
import type { MailStore } from './mail-store.ts';

const MOST_BYTES = 50 * 1024 * 1024;

/** Takes every mail for everybody. A sender gets its "250" only once the mail is kept. */
export function createReceiver(store: MailStore): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MOST_BYTES,
    closeTimeout: 1_000,
    onAuth: (auth, _session, done) => done(null, { user: auth.username }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('The mail is too large'), { responseCode: 552 }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        store.keep({ recipients, raw: Buffer.concat(chunks) }).then(() => done(), done);
      });
    },
  });
  // A sender that was killed resets its connection, which is its own business: without a listener it would end everybody's mailbox.
  server.on('error', (error) => console.error(`a sender's connection failed: ${error.message}`));
  return server;
}
