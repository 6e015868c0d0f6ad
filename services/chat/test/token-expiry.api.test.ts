import type { Ack } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { people, service } from './running-chat.ts';
import { connect, createSocket, emit, tryConnect } from './sockets.ts';

const sessionId = newId();
/** Returns the claims of a token that expires in this many seconds. */
const expiringIn = (seconds: number) => ({ sessionId, issuedAt: Date.now() - (900 - seconds) * 1_000 });
const trackDisconnect = (socket: Socket) => {
  const disconnect: { reason?: string } = {};
  socket.once('disconnect', (reason) => {
    disconnect.reason = reason;
  });
  return disconnect;
};

describe.each(['/chat', '/live'])('a %s socket', (namespace) => {
  const open = async (options: Parameters<typeof createSocket>[3]) => {
    const socket = await createSocket(service, namespace, people.member, options);
    await connect(socket);
    return socket;
  };
  const refresh = async (socket: Socket, ...claims: Parameters<TestService['tokens']['sign']>) =>
    emit(socket, 'auth:refresh', { token: await service.tokens.sign(...claims) }) as Promise<
      Ack<{ expiresAt: number }>
    >;

  it('is closed when its token expires, and can reconnect with a new one', async () => {
    const socket = await open(expiringIn(2));
    const disconnect = trackDisconnect(socket);
    await waitFor(() => disconnect.reason !== undefined, { description: 'the socket to be closed' });
    expect(disconnect.reason).toBe('io server disconnect');
    expect(await tryConnect(socket)).toBe('Authentication error');
    socket.auth = { token: await service.tokens.sign(people.member) };
    expect(await tryConnect(socket)).toBe('connected');
  });

  it('stays open if it presents a new token of the same user and session', async () => {
    const [refreshedSocket, expiringSocket] = await Promise.all([open(expiringIn(2)), open(expiringIn(2))]);
    const disconnect = trackDisconnect(expiringSocket);
    const refreshedAt = Date.now();
    const ack = await refresh(refreshedSocket, people.member, { sessionId });
    expect(ack).toEqual({ ok: true, data: { expiresAt: expect.any(Number) } });
    expect(ack.ok && ack.data.expiresAt - refreshedAt).toBeGreaterThan(890_000);
    await waitFor(() => disconnect.reason !== undefined, { description: 'the other socket to be closed' });
    expect(await refresh(refreshedSocket, people.member, { sessionId })).toMatchObject({ ok: true });
    expect(refreshedSocket.connected).toBe(true);
  });

  it('is closed on time if it presents an invalid token, or a token of a different user or session', async () => {
    const socket = await open(expiringIn(3));
    const disconnect = trackDisconnect(socket);
    const rejection = { ok: false, error: { code: 'unauthorized', message: 'Unauthorized' } };
    expect(await refresh(socket, people.ben, { sessionId })).toEqual(rejection);
    expect(await refresh(socket, people.member)).toEqual(rejection);
    expect(await refresh(socket, people.member, { ...expiringIn(-1) })).toEqual(rejection);
    expect(await emit(socket, 'auth:refresh', { token: 'x' })).toEqual(rejection);
    expect(await emit(socket, 'auth:refresh', {})).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    await waitFor(() => disconnect.reason !== undefined, { description: 'the socket to be closed' });
    expect(disconnect.reason).toBe('io server disconnect');
  });
});
