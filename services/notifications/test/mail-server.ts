import { once } from 'node:events';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

type Refusal = { responseCode: number } | undefined;
/** What the server does at the end of DATA instead of accepting the message. */
type Ending = Refusal | 'drop';

type Options = {
  refuse?: (address: string) => Refusal | Promise<Refusal>;
  /** Called once a whole message has arrived, which is recorded in any case; the server responds when it resolves. */
  atEndOfData?: (address: string) => Ending | Promise<Ending>;
};

/** A real SMTP server that a test tells when to start, whom to refuse, and what to do at the end of a message. */
export function createMailServer({ refuse = () => undefined, atEndOfData = () => undefined }: Options = {}) {
  const received: { to: string; source: string }[] = [];
  const toError = (refusal: Refusal) => refusal && Object.assign(new Error('refused'), refusal);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      void Promise.resolve(refuse(address)).then((refusal) => done(toError(refusal)));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const source = Buffer.concat(chunks).toString('utf8');
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, source });
        const [first] = session.envelope.rcptTo;
        void Promise.resolve(atEndOfData(first?.address ?? '')).then((ending) =>
          ending === 'drop' ? drop(session) : done(toError(ending)),
        );
      });
    },
  });
  const drop = (session: SMTPServerSession) => {
    for (const connection of server.connections) if (connection.session === session) connection._socket.destroy();
  };
  return {
    received,
    to: (address: string) => received.filter(({ to }) => to === address),
    async start(port: number) {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
