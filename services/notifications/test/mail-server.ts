import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

type Refusal = { responseCode: number } | undefined;

/** A real SMTP server that a test tells when to start, and whom to refuse. */
export function createMailServer(refuse: (address: string) => Refusal | Promise<Refusal> = () => undefined) {
  const received: { to: string; source: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      void Promise.resolve(refuse(address)).then((refusal) =>
        done(refusal && Object.assign(new Error('refused'), refusal)),
      );
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const source = Buffer.concat(chunks).toString('utf8');
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, source });
        done();
      });
    },
  });
  return {
    received,
    to: (address: string) => received.filter(({ to }) => to === address),
    async start(port: number) {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
