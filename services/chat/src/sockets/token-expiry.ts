import { AppError } from '@atrium/service-kit/errors/app-error';
import type { TokenVerifier } from '@atrium/service-kit/http/authenticate';
import type { AnySocket } from './socket-server.ts';

/** Timers with a longer delay fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export type TokenExpiry = {
  /** Extends the socket's lifetime by a new token of the same user and session; an invalid token changes nothing. */
  refresh(payload: { token: string }): Promise<{ expiresAt: number }>;
  stop(): void;
};

/** Closes the socket when its token expires, so that a stolen token is of no use afterwards. */
export function createTokenExpiry(verifier: TokenVerifier, socket: AnySocket): TokenExpiry {
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    clearTimeout(timer);
    const leftMs = Math.max(0, Math.min(socket.data.expiresAt - Date.now(), MAX_TIMER_MS));
    timer = setTimeout(() => socket.disconnect(true), leftMs).unref();
  };
  arm();
  return {
    async refresh({ token }) {
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
