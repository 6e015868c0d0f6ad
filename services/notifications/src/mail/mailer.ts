import { createTransport, type SendMailOptions } from 'nodemailer';
import { hearGreeting, isPlain } from './hear-greeting.ts';
import { judgeFailure } from './mail-failure.ts';

export type Mailer = {
  /** Whether the mail server answers; asked anew at most every few seconds, and at once known to be away when a mail could not get there. */
  reachable(): Promise<boolean>;
  send(mail: SendMailOptions): Promise<void>;
  /** For the probe. */
  check(): Promise<void>;
  close(): void;
};

const ASK_AGAIN_MS = 2_000;
const TRUST_MS = 30_000;
const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, dnsTimeout: 5_000, socketTimeout: 20_000 };

/**
 * The mail server behind pooled connections, each wait bounded. Without an address it counts as away. They are opened with the first
 * mail; until then the probe makes do with the server's greeting.
 */
export function createMailer(smtpUrl: string | undefined, from: string): Mailer {
  if (smtpUrl === undefined) return noMailer;
  let opened: ReturnType<typeof openTransport> | undefined;
  const transport = () => {
    opened ??= openTransport(smtpUrl);
    return opened;
  };
  let known: { at: number; answers: boolean } | undefined;

  const ask = async (): Promise<boolean> => {
    const answers = await transport()
      .verify()
      .then(
        () => true,
        () => false,
      );
    known = { at: performance.now(), answers };
    return answers;
  };
  const reachable = async () => {
    const fresh = known !== undefined && performance.now() - known.at < (known.answers ? TRUST_MS : ASK_AGAIN_MS);
    return fresh && known ? known.answers : ask();
  };
  return {
    reachable,
    async send(mail) {
      try {
        await transport().sendMail({ from, ...mail });
        known = { at: performance.now(), answers: true };
      } catch (error) {
        if (judgeFailure(error) === 'server-away') known = { at: performance.now(), answers: false };
        throw error;
      }
    },
    async check() {
      if (!opened && isPlain(smtpUrl)) return hearGreeting(smtpUrl);
      if (known?.answers && performance.now() - known.at > ASK_AGAIN_MS) known = undefined;
      if (!(await reachable())) throw new Error('the mail server does not answer');
    },
    close: () => opened?.close(),
  };
}

function openTransport(url: string) {
  const transport = createTransport({ url, pool: true, maxConnections: 3, maxMessages: 100, ...TIMEOUTS });
  // A pooled connection that breaks while idle tells the transport; the next mail opens another.
  transport.on('error', () => undefined);
  return transport;
}

const noMailer: Mailer = {
  reachable: async () => false,
  send: () => Promise.reject(new Error('no mail server is configured')),
  check: () => Promise.reject(new Error('no mail server is configured')),
  close: () => undefined,
};
