import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { classifyFailure, DeliveryError, type DeliveryPhase } from './delivery-failure.ts';

const TIMEOUT_MS = 2_000;
const SUBMISSION_PORT = 587;

/** Without TLS from the first byte and without options that only Nodemailer understands. */
function isPlainSmtpUrl(smtpUrl: string): boolean {
  return /^smtp:\/\/[^?]+$/.test(smtpUrl) && URL.canParse(smtpUrl);
}

async function probeSmtp(smtpUrl: string): Promise<void> {
  const { hostname, port } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || SUBMISSION_PORT }).setEncoding('latin1');
  // Errors after the greeting do not matter.
  socket.on('error', () => undefined);
  try {
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!String(greeting).startsWith('220')) throw new Error('The mail server does not accept emails right now');
    socket.end('QUIT\r\n');
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

export type Mailer = {
  connections: number;
  /** Whether the mail server responds. Probed at most every few seconds; false as soon as a delivery could not reach it. */
  reachable(): Promise<boolean>;
  /** Rejects with a `DeliveryError` that contains the phase of the failure. */
  send(message: Message): Promise<void>;
  check(): Promise<void>;
  abort(): void;
  close(): void;
};

type Message = SendMailOptions & { messageId: string };
type MailerOptions = { smtpUrl: string | undefined; from: string; connections: number; timeoutSeconds: number };

const MINUTE = 60_000;
const UNAVAILABLE_CACHE_MS = 2_000;
const AVAILABLE_CACHE_MS = 30_000;
const PROBE_TIMEOUT_MS = 5_000;
/** RFC 5321, section 4.5.3.2.1: a greeting may take five minutes. */
const GREETING_TIMEOUT_MS = 5 * MINUTE;
const CONNECT_TIMEOUT_MS = 30_000;
/** A connection that broke unnoticed while idle would cost the next email a whole timeout. */
const IDLE_TIMEOUT_MS = 10_000;
/** The sum of the limits of RFC 5321, section 4.5.3.2: bounds servers that send single bytes but never a complete response. */
const ATTEMPT_TIMEOUT_MS = 30 * MINUTE;

/** Sends through pooled connections, opened with the first email; until then, the health check reads only the greeting. */
export function createMailer({ smtpUrl, ...options }: MailerOptions): Mailer {
  if (smtpUrl === undefined) return noMailer;
  const stop = new AbortController();
  let opened: ReturnType<typeof openTransport> | undefined;
  const transport = () => {
    opened ??= openTransport(smtpUrl, options);
    return opened;
  };
  let lastProbe: { at: number; responds: boolean } | undefined;
  let probing: Promise<boolean> | undefined;

  const probe = async (): Promise<boolean> => {
    const responds = await transport()
      .verify()
      .then(
        () => true,
        () => false,
      );
    lastProbe = { at: performance.now(), responds };
    return responds;
  };
  const reachable = async (cacheMs = AVAILABLE_CACHE_MS): Promise<boolean> => {
    if (lastProbe && performance.now() - lastProbe.at < (lastProbe.responds ? cacheMs : UNAVAILABLE_CACHE_MS))
      return lastProbe.responds;
    probing ??= probe().finally(() => {
      probing = undefined;
    });
    return probing;
  };
  return {
    connections: options.connections,
    reachable: () => reachable(),
    async send(message) {
      try {
        await transport().send({ ...message, from: options.from }, stop.signal);
        lastProbe = { at: performance.now(), responds: true };
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure === 'server-unavailable') lastProbe = { at: performance.now(), responds: false };
        // The server may stall on this email only, so it is probed before the next one.
        if (failure === 'uncertain' || failure === 'interrupted') lastProbe = undefined;
        throw error;
      }
    },
    async check() {
      if (!opened && isPlainSmtpUrl(smtpUrl)) return probeSmtp(smtpUrl);
      const responds = await Promise.race([
        reachable(UNAVAILABLE_CACHE_MS),
        pause(PROBE_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (!responds) throw new Error('The mail server does not respond');
    },
    abort: () => stop.abort(),
    close: () => opened?.close(),
  };
}

function openTransport(url: string, { connections, timeoutSeconds }: Omit<MailerOptions, 'smtpUrl'>) {
  const socketTimeout = timeoutSeconds * 1_000;
  const greetingTimeout = Math.min(socketTimeout, GREETING_TIMEOUT_MS);
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    maxMessages: 100,
    idleTimeout: IDLE_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS + greetingTimeout,
    greetingTimeout,
    socketTimeout,
    dnsTimeout: 5_000,
  });
  // Idle pooled connections may break; the next email opens a new one.
  transport.on('error', () => undefined);
  /** Contents of emails in flight, by Message-ID: created with the transaction, read once the server has accepted DATA. */
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
    async send(message: Message, stopped: AbortSignal): Promise<void> {
      try {
        const signal = AbortSignal.any([stopped, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
        await transport.sendMail({ ...message, signal });
      } catch (error) {
        throw new DeliveryError(phaseOf(message.messageId), error);
      } finally {
        contents.delete(message.messageId);
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
