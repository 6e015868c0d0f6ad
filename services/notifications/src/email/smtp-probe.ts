import { once } from 'node:events';
import { connect } from 'node:net';

const TIMEOUT_MS = 2_000;
const SUBMISSION_PORT = 587;

/** An address without encryption from the first byte and without settings that only the mail library understands. */
export function isPlain(smtpUrl: string): boolean {
  return /^smtp:\/\/[^?]+$/.test(smtpUrl) && URL.canParse(smtpUrl);
}

/** Resolves when a mail server greets at a plain address (RFC 5321, section 4.2); nothing is asked of it. */
export async function probeSmtp(smtpUrl: string): Promise<void> {
  const { hostname, port } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || SUBMISSION_PORT }).setEncoding('latin1');
  // What comes after the greeting is of no interest.
  socket.on('error', () => undefined);
  try {
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!String(greeting).startsWith('220')) throw new Error('the mail server takes no mail now');
    socket.end('QUIT\r\n');
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
