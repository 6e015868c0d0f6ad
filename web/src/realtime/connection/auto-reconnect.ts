import type { AUTHENTICATION_ERROR } from '@atrium/proto-events/realtime';
import type { Socket } from 'socket.io-client';
import { ApiError } from '#lib/api/api-error.ts';
import { refreshAccessToken, refreshBeforeExpiry } from '#lib/api/refresh-tokens.ts';
import { accessToken, onTokensChange, refreshDueAt } from '#lib/api/tokens.ts';
import { loadProfile } from '#lib/session/session.ts';
import { connectOnce, reconnectDelay } from './reconnect-delay.ts';
import { notifyConnected } from './status.ts';

const AUTH_ERROR: typeof AUTHENTICATION_ERROR = 'Authentication error';

/** The server closes a socket whose token has expired; a reconnect within this time is not shown as a disconnect. */
const RECONNECT_GRACE_MS = 3_000;

export type Connection = { isConnected: () => boolean; stop: () => void };

export function autoReconnect(socket: Socket, onStatus: () => void): Connection {
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let sentToken: string | null = null;
  let graceTimer: ReturnType<typeof setTimeout> | undefined;

  socket.auth = (sendAuth) => {
    sentToken = accessToken();
    sendAuth({ token: sentToken });
  };

  const connectNow = async () => {
    clearTimeout(timer);
    if (isStopped || socket.connected) return;
    await refreshBeforeExpiry().catch(() => undefined);
    if (!isStopped && accessToken()) connectOnce(socket);
  };
  const connect = () => void connectNow();
  const connectLater = () => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(connect, reconnectDelay(attempts++));
  };
  const onConnect = () => {
    attempts = 0;
    if (graceTimer !== undefined) notifyConnected();
    endGrace();
  };
  const endGrace = () => {
    clearTimeout(graceTimer);
    graceTimer = undefined;
    onStatus();
  };
  const onDisconnect = (reason: string) => {
    if (reason === 'io server disconnect' && (refreshDueAt() ?? Number.POSITIVE_INFINITY) <= Date.now()) {
      graceTimer = setTimeout(endGrace, RECONNECT_GRACE_MS);
      return connect();
    }
    onStatus();
    // The server closes the sockets of an ended session: loading the profile detects that immediately.
    if (reason === 'io server disconnect') void loadProfile();
    if (reason !== 'io client disconnect') connectLater();
  };
  // A socket that sends the fresh token before expiry keeps its connection.
  const sendFreshToken = () => {
    const token = accessToken();
    if (!socket.connected || token === null || token === sentToken) return;
    sentToken = token;
    socket.emit('auth:refresh', { token }, () => undefined);
  };
  const handleConnectError = async (error: Error) => {
    onStatus();
    if (error.message !== AUTH_ERROR) return connectLater();
    // A rejected token is refreshed first; only a 401 from the refresh ends the session.
    try {
      const isFirst = attempts++ === 0;
      await refreshAccessToken(sentToken);
      return isFirst ? connect() : connectLater();
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 401)) connectLater();
    }
  };
  const onError = (error: Error) => void handleConnectError(error);
  const onOffline = () => {
    socket.disconnect();
    onStatus();
  };

  socket.on('connect', onConnect);
  socket.on('disconnect', onDisconnect);
  socket.on('connect_error', onError);
  window.addEventListener('online', connect);
  window.addEventListener('offline', onOffline);
  const stopSendingTokens = onTokensChange(sendFreshToken);
  connect();

  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(graceTimer);
    graceTimer = undefined;
    stopSendingTokens();
    window.removeEventListener('online', connect);
    window.removeEventListener('offline', onOffline);
    socket.disconnect();
    socket.off('connect', onConnect);
    socket.off('disconnect', onDisconnect);
    socket.off('connect_error', onError);
    onStatus();
  };
  return { isConnected: () => socket.connected || graceTimer !== undefined, stop };
}
