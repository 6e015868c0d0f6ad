import { once } from 'node:events';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

type Rejection = { responseCode: number } | undefined;
/** Response at the end of DATA instead of accepting the message. */
type DataResponse = Rejection | 'drop';

type Options = {
  reject?: (address: string) => Rejection | Promise<Rejection>;
  /** Called when a whole message has arrived and been recorded; the server responds when it resolves. */
  atEndOfData?: (address: string) => DataResponse | Promise<DataResponse>;
};

/** An SMTP server whose availability, rejections, and responses a test controls. */
export function createMailServer({ reject = () => undefined, atEndOfData = () => undefined }: Options = {}) {
  const received: { to: string; source: string }[] = [];
  const toError = (rejection: Rejection) => rejection && Object.assign(new Error('rejected'), rejection);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      void Promise.resolve(reject(address)).then((rejection) => done(toError(rejection)));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const source = Buffer.concat(chunks).toString('utf8');
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, source });
        const [first] = session.envelope.rcptTo;
        void Promise.resolve(atEndOfData(first?.address ?? '')).then((response) =>
          response === 'drop' ? drop(session) : done(toError(response)),
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
