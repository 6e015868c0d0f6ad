import type { AUTHENTICATION_ERROR } from '@atrium/proto-events/realtime';
import type { Socket } from 'socket.io-client';
import { ApiError } from '../lib/api/api-error.ts';
import { refreshAccessToken, refreshBeforeExpiry } from '../lib/session/refresh.ts';
import { loadProfile } from '../lib/session/session.ts';
import { accessToken, onTokensChange, renewalDueAt } from '../lib/session/tokens.ts';
import { connectOnce } from './connect-once.ts';
import { retryDelay } from './retry-delay.ts';
import { noteConnected } from './status.ts';

const REFUSED: typeof AUTHENTICATION_ERROR = 'Authentication error';

/** A server ends a socket whose token has expired; the next one is up before anybody need hear of it. */
const QUIET_MS = 3_000;

type Connection = { isUp: () => boolean; stop: () => void };

/** Connects a socket and connects it again whenever it is lost, until stopped. */
export function keepConnected(socket: Socket, onStatus: () => void): Connection {
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let presented: string | null = null;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  socket.auth = (give) => {
    presented = accessToken();
    give({ token: presented });
  };

  const connectNow = async () => {
    clearTimeout(timer);
    if (isStopped || socket.connected) return;
    // Without a session there is no token to connect with.
    await refreshBeforeExpiry().catch(() => undefined);
    if (!isStopped && accessToken()) connectOnce(socket);
  };
  const connect = () => void connectNow();
  const connectLater = () => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(connect, retryDelay(tries++));
  };
  const onConnect = () => {
    tries = 0;
    if (quiet !== undefined) noteConnected();
    endQuiet();
  };
  const endQuiet = () => {
    clearTimeout(quiet);
    quiet = undefined;
    onStatus();
  };
  const onDisconnect = (reason: string) => {
    if (reason === 'io server disconnect' && (renewalDueAt() ?? Number.POSITIVE_INFINITY) <= Date.now()) {
      quiet = setTimeout(endQuiet, QUIET_MS);
      return connect();
    }
    onStatus();
    // The server closes the sockets of a session it has ended: asking for the profile finds out at once.
    if (reason === 'io server disconnect') void loadProfile();
    if (reason !== 'io client disconnect') connectLater();
  };
  // A socket that presents the fresh token in time keeps its connection.
  const present = () => {
    const token = accessToken();
    if (!socket.connected || token === null || token === presented) return;
    presented = token;
    socket.emit('auth:refresh', { token }, () => undefined);
  };
  const onRefusal = async (error: Error) => {
    onStatus();
    if (error.message !== REFUSED) return connectLater();
    // A refused token is renewed before it is given up; only the server's no to that ends the session.
    try {
      const isFirst = tries++ === 0;
      await refreshAccessToken(presented);
      return isFirst ? connect() : connectLater();
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 401)) connectLater();
    }
  };
  const onError = (error: Error) => void onRefusal(error);
  const onOffline = () => {
    socket.disconnect();
    onStatus();
  };

  socket.on('connect', onConnect);
  socket.on('disconnect', onDisconnect);
  socket.on('connect_error', onError);
  window.addEventListener('online', connect);
  window.addEventListener('offline', onOffline);
  const stopPresenting = onTokensChange(present);
  connect();

  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(quiet);
    quiet = undefined;
    stopPresenting();
    window.removeEventListener('online', connect);
    window.removeEventListener('offline', onOffline);
    socket.disconnect();
    socket.off('connect', onConnect);
    socket.off('disconnect', onDisconnect);
    socket.off('connect_error', onError);
    onStatus();
  };
  return { isUp: () => socket.connected || quiet !== undefined, stop };
}
