import { AppError } from '@atrium/service-kit/http/app-error';
import type { TokenVerifier } from '@atrium/service-kit/http/authenticate';
import type { AnySocket } from './socket-server.ts';

/** A longer wait than this would be none at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type TokenLife = {
  /** Lets the socket live on by a fresh token of the same person and session; one that is refused changes nothing. */
  renew(payload: { token: string }): Promise<{ expiresAt: number }>;
  /** For a socket that is gone. */
  stop(): void;
};

/** Closes the socket when its token expires, so that a stolen one is good for its quarter of an hour and no longer. */
export function createTokenLife(verifier: TokenVerifier, socket: AnySocket): TokenLife {
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    clearTimeout(timer);
    const leftMs = Math.max(0, Math.min(socket.data.expiresAt - Date.now(), LONGEST_TIMER_MS));
    timer = setTimeout(() => socket.disconnect(true), leftMs).unref();
  };
  arm();
  return {
    async renew({ token }) {
      const { issuedAt, expiresAt, ...caller } = await verifier.verify(token);
      const { userId, sessionId } = socket.data.caller;
      if (caller.userId !== userId || caller.sessionId !== sessionId) {
        throw new AppError('unauthorized', 'Unauthorized');
      }
      Object.assign(socket.data, { caller, issuedAt, expiresAt });
      if (socket.connected) arm();
      return { expiresAt };
    },
    stop: () => clearTimeout(timer),
  };
}
