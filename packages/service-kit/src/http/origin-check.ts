import type { IncomingMessage } from 'node:http';

/**
 * Whether a page can open a socket: one of our own origin or of a configured one. Clients other than browsers send no
 * origin and are allowed.
 */
export function createOriginCheck(origins: readonly string[]): (req: Pick<IncomingMessage, 'headers'>) => boolean {
  const allowed = new Set(origins);
  return ({ headers: { origin, host } }) => origin === undefined || allowed.has(origin) || hostOf(origin) === host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
