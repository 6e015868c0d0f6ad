import type { IncomingMessage } from 'node:http';

/** Whether a browser's page may open a socket: one of our own, or of a named origin. What is not a browser sends no origin, and may. */
export function createOriginCheck(origins: readonly string[]): (req: Pick<IncomingMessage, 'headers'>) => boolean {
  const allowed = new Set(origins);
  return ({ headers: { origin, host } }) => origin === undefined || allowed.has(origin) || hostOf(origin) === host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
