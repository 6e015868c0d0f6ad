import { once } from 'node:events';
import { connect } from 'node:net';

const TIMEOUT_MS = 2_000;
const SUBMISSION_PORT = 587;

/** Without TLS from the first byte and without options that only Nodemailer understands. */
export function isPlainSmtpUrl(smtpUrl: string): boolean {
  return /^smtp:\/\/[^?]+$/.test(smtpUrl) && URL.canParse(smtpUrl);
}

/** Resolves when the mail server greets (RFC 5321, section 4.2). No command is sent. */
export async function probeSmtp(smtpUrl: string): Promise<void> {
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
