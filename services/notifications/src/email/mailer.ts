import { PassThrough, pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { DeliveryError, type DeliveryPhase, judgeFailure } from './mail-failure.ts';
import { isPlain, probeSmtp } from './smtp-probe.ts';

export type Mailer = {
  /** How many emails can be sent at the same time. */
  connections: number;
  /** Whether the mail server responds; asked at most every few seconds, and known to be unavailable once an email could not get there. */
  reachable(): Promise<boolean>;
  /** Rejects with a `DeliveryError` that says how far the transaction got. */
  send(mail: Message): Promise<void>;
  /** For the probe. */
  check(): Promise<void>;
  /** Ends the attempts in flight. */
  abort(): void;
  close(): void;
};

type Message = SendMailOptions & { messageId: string };
export type MailerOptions = { smtpUrl: string | undefined; from: string; connections: number; timeoutSeconds: number };

const MINUTE = 60_000;
const ASK_AGAIN_MS = 2_000;
const TRUST_MS = 30_000;
const PROBE_MS = 5_000;
/** RFC 5321, section 4.5.3.2.1: a greeting may take five minutes. */
const GREETING_MS = 5 * MINUTE;
const CONNECT_MS = 30_000;
/** A connection that broke unnoticed while idle would cost the next email a whole timeout. */
const IDLE_MS = 10_000;
/** The sum of the limits of RFC 5321, section 4.5.3.2, for a server that sends a byte now and then and never a whole response. */
const WHOLE_ATTEMPT_MS = 30 * MINUTE;

/** The mail server behind pooled connections, opened with the first email; until then the probe makes do with the server's greeting. */
export function createMailer({ smtpUrl, ...options }: MailerOptions): Mailer {
  if (smtpUrl === undefined) return noMailer;
  const stop = new AbortController();
  let opened: ReturnType<typeof openTransport> | undefined;
  const transport = () => {
    opened ??= openTransport(smtpUrl, options);
    return opened;
  };
  let known: { at: number; responds: boolean } | undefined;
  let asking: Promise<boolean> | undefined;

  const ask = async (): Promise<boolean> => {
    const responds = await transport()
      .verify()
      .then(
        () => true,
        () => false,
      );
    known = { at: performance.now(), responds };
    return responds;
  };
  const reachable = async (trustMs = TRUST_MS): Promise<boolean> => {
    if (known && performance.now() - known.at < (known.responds ? trustMs : ASK_AGAIN_MS)) return known.responds;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    connections: options.connections,
    reachable: () => reachable(),
    async send(mail) {
      try {
        await transport().send({ ...mail, from: options.from }, stop.signal);
        known = { at: performance.now(), responds: true };
      } catch (error) {
        const failure = judgeFailure(error);
        if (failure === 'server-away') known = { at: performance.now(), responds: false };
        // It may be this email alone that the server stalls at: it is asked before the next one.
        if (failure === 'uncertain' || failure === 'interrupted') known = undefined;
        throw error;
      }
    },
    async check() {
      if (!opened && isPlain(smtpUrl)) return probeSmtp(smtpUrl);
      const responds = await Promise.race([reachable(ASK_AGAIN_MS), pause(PROBE_MS, false, { ref: false })]);
      if (!responds) throw new Error('The mail server does not respond');
    },
    abort: () => stop.abort(),
    close: () => opened?.close(),
  };
}

function openTransport(url: string, { connections, timeoutSeconds }: Omit<MailerOptions, 'smtpUrl'>) {
  const socketTimeout = timeoutSeconds * 1_000;
  const greetingTimeout = Math.min(socketTimeout, GREETING_MS);
  const connectionTimeout = CONNECT_MS + greetingTimeout;
  const transport = createTransport({
    ...{ url, pool: true, maxConnections: connections, maxMessages: 100, idleTimeout: IDLE_MS },
    ...{ connectionTimeout, greetingTimeout, socketTimeout, dnsTimeout: 5_000 },
  });
  // A pooled connection that breaks while idle tells the transport; the next email opens another.
  transport.on('error', () => undefined);
  /** The contents of emails in flight, by Message-ID: created with the transaction, read from once the server has accepted DATA. */
  const contents = new Map<string, PassThrough>();
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((input) => {
      const content = new PassThrough();
      contents.set(String(data.messageId), content);
      return pipeline(input, content, () => undefined);
    });
    done();
  });
  const phaseOf = (messageId: string): DeliveryPhase => {
    const content = contents.get(messageId);
    if (content === undefined) return 'connection';
    return content.readableDidRead ? 'content' : 'envelope';
  };
  return {
    verify: () => transport.verify(),
    close: () => transport.close(),
    async send(mail: Message, stopped: AbortSignal): Promise<void> {
      try {
        const signal = AbortSignal.any([stopped, AbortSignal.timeout(WHOLE_ATTEMPT_MS)]);
        await transport.sendMail({ ...mail, signal });
      } catch (error) {
        throw new DeliveryError(phaseOf(mail.messageId), error);
      } finally {
        contents.delete(mail.messageId);
      }
    },
  };
}

const noMailer: Mailer = {
  connections: 1,
  reachable: async () => false,
  send: () => Promise.reject(new Error('No mail server is configured')),
  check: () => Promise.reject(new Error('No mail server is configured')),
  abort: () => undefined,
  close: () => undefined,
};
