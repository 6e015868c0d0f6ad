import type { AUTHENTICATION_ERROR } from '@atrium/proto-events/realtime';
import type { Socket } from 'socket.io-client';
import { ApiError } from '../lib/api-error.ts';
import { renewAccessToken } from '../lib/refresh.ts';
import { loadProfile } from '../lib/session.ts';
import { accessToken } from '../lib/tokens.ts';
import { retryDelay } from './retry-delay.ts';

const REFUSED: typeof AUTHENTICATION_ERROR = 'Authentication error';

/** Connects a socket and connects it again whenever it is lost, until stopped. */
export function keepConnected(socket: Socket, onStatus: () => void): () => void {
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let presented: string | null = null;

  socket.auth = (give) => {
    presented = accessToken();
    give({ token: presented });
  };

  const connect = () => {
    clearTimeout(timer);
    if (!isStopped && !socket.connected && accessToken()) socket.connect();
  };
  const connectLater = () => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(connect, retryDelay(tries++));
  };
  const onConnect = () => {
    tries = 0;
    onStatus();
  };
  const onDisconnect = (reason: string) => {
    onStatus();
    // The server closes the sockets of a session it has ended: asking for the profile finds out at once.
    if (reason === 'io server disconnect') void loadProfile();
    if (reason !== 'io client disconnect') connectLater();
  };
  const onRefusal = async (error: Error) => {
    onStatus();
    if (error.message !== REFUSED) return connectLater();
    // A refused token is renewed before it is given up; only the server's no to that ends the session.
    try {
      const isFirst = tries++ === 0;
      await renewAccessToken(presented);
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
  connect();

  return () => {
    isStopped = true;
    clearTimeout(timer);
    window.removeEventListener('online', connect);
    window.removeEventListener('offline', onOffline);
    socket.disconnect();
    socket.off('connect', onConnect);
    socket.off('disconnect', onDisconnect);
    socket.off('connect_error', onError);
    onStatus();
  };
}
