import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { classifyFailure, DeliveryError, type DeliveryPhase } from './delivery-failure.ts';

const GREETING_PROBE_TIMEOUT_MS = 2_000;
const SUBMISSION_PORT = 587;

/** Whether the URL has neither TLS from the first byte nor options that only Nodemailer understands. */
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
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(GREETING_PROBE_TIMEOUT_MS) });
    if (!String(greeting).startsWith('220')) throw new Error('The mail server does not accept emails right now');
    socket.end('QUIT\r\n');
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

export type Mailer = {
  connections: number;
  /**
   * Whether the mail server responds. Probed at most every few seconds; false as soon as a delivery could not reach it.
   */
  isReachable(): Promise<boolean>;
  /** Rejects with a `DeliveryError` that contains the phase of the failure. */
  send(message: Message): Promise<void>;
  check(): Promise<void>;
  abort(): void;
  close(): void;
};

type Message = SendMailOptions & { messageId: string };
type MailerOptions = { smtpUrl: string | undefined; from: string; connections: number; timeoutSeconds: number };

const MINUTE_MS = 60_000;
const UNAVAILABLE_CACHE_MS = 2_000;
const AVAILABLE_CACHE_MS = 30_000;
const PROBE_TIMEOUT_MS = 5_000;
/** RFC 5321, section 4.5.3.2.1: a greeting may take five minutes. */
const GREETING_TIMEOUT_MS = 5 * MINUTE_MS;
const CONNECT_TIMEOUT_MS = 30_000;
/** A connection that broke unnoticed while idle would cost the next email a whole timeout. */
const IDLE_TIMEOUT_MS = 10_000;
/**
 * The sum of the limits of RFC 5321, section 4.5.3.2: bounds servers that send single bytes but never a complete
 * response.
 */
const ATTEMPT_TIMEOUT_MS = 30 * MINUTE_MS;

/**
 * Sends through pooled connections, which are opened with the first email; until then, the health check reads only the
 * greeting.
 */
export function createMailer({ smtpUrl, ...options }: MailerOptions): Mailer {
  if (smtpUrl === undefined) return unconfiguredMailer;
  const stop = new AbortController();
  let openedTransport: ReturnType<typeof openTransport> | undefined;
  const getTransport = () => {
    openedTransport ??= openTransport(smtpUrl, options);
    return openedTransport;
  };
  let lastProbe: { at: number; responds: boolean } | undefined;
  let pendingProbe: Promise<boolean> | undefined;

  const probe = async (): Promise<boolean> => {
    const responds = await getTransport()
      .verify()
      .then(
        () => true,
        () => false,
      );
    lastProbe = { at: performance.now(), responds };
    return responds;
  };
  const isReachable = async (cacheMs = AVAILABLE_CACHE_MS): Promise<boolean> => {
    if (lastProbe && performance.now() - lastProbe.at < (lastProbe.responds ? cacheMs : UNAVAILABLE_CACHE_MS))
      return lastProbe.responds;
    pendingProbe ??= probe().finally(() => {
      pendingProbe = undefined;
    });
    return pendingProbe;
  };
  return {
    connections: options.connections,
    isReachable: () => isReachable(),
    async send(message) {
      try {
        await getTransport().send({ ...message, from: options.from }, stop.signal);
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
      if (!openedTransport && isPlainSmtpUrl(smtpUrl)) return probeSmtp(smtpUrl);
      const responds = await Promise.race([
        isReachable(UNAVAILABLE_CACHE_MS),
        delay(PROBE_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (!responds) throw new Error('The mail server does not respond');
    },
    abort: () => stop.abort(),
    close: () => openedTransport?.close(),
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
  /**
   * Contents of emails in flight, by Message-ID: created with the transaction, read once the server has accepted DATA.
   */
  const contents = new Map<string, PassThrough>();
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((input) => {
      const content = new PassThrough();
      contents.set(String(data.messageId), content);
      return pipeline(input, content, () => undefined);
    });
    done();
  });
  const getPhase = (messageId: string): DeliveryPhase => {
    const content = contents.get(messageId);
    if (content === undefined) return 'connection';
    return content.readableDidRead ? 'content' : 'envelope';
  };
  return {
    verify: () => transport.verify(),
    close: () => transport.close(),
    async send(message: Message, stopSignal: AbortSignal): Promise<void> {
      try {
        const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
        await transport.sendMail({ ...message, signal });
      } catch (error) {
        throw new DeliveryError(getPhase(message.messageId), error);
      } finally {
        contents.delete(message.messageId);
      }
    },
  };
}

const unconfiguredMailer: Mailer = {
  connections: 1,
  isReachable: async () => false,
  send: () => Promise.reject(new Error('No mail server is configured')),
  check: () => Promise.reject(new Error('No mail server is configured')),
  abort: () => undefined,
  close: () => undefined,
};
