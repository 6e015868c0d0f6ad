import type { Ack } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { people, service } from './running-chat.ts';
import { connect, connectError, createSocket, emit } from './sockets.ts';

const sessionId = newId();
/** A token that expires in a few seconds. */
const expiring = (leftSeconds: number) => ({ sessionId, issuedAt: Date.now() - (900 - leftSeconds) * 1_000 });
const reasonOf = (socket: Socket) => {
  const disconnect: { reason?: string } = {};
  socket.once('disconnect', (reason) => {
    disconnect.reason = reason;
  });
  return disconnect;
};

describe.each(['/chat', '/live'])('a socket of %s', (namespace) => {
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
    const socket = await open(expiring(2));
    const disconnect = reasonOf(socket);
    await waitFor(() => disconnect.reason !== undefined, { what: 'the socket to be closed' });
    expect(disconnect.reason).toBe('io server disconnect');
    expect(await connectError(socket)).toBe('Authentication error');
    socket.auth = { token: await service.tokens.sign(people.member) };
    expect(await connectError(socket)).toBe('connected');
  });

  it('stays open with a new token of the same user and session', async () => {
    const [refreshed, expired] = await Promise.all([open(expiring(2)), open(expiring(2))]);
    const disconnect = reasonOf(expired);
    const before = Date.now();
    const ack = await refresh(refreshed, people.member, { sessionId });
    expect(ack).toEqual({ ok: true, data: { expiresAt: expect.any(Number) } });
    expect(ack.ok && ack.data.expiresAt - before).toBeGreaterThan(890_000);
    await waitFor(() => disconnect.reason !== undefined, { what: 'the other socket to be closed' });
    expect(await refresh(refreshed, people.member, { sessionId })).toMatchObject({ ok: true });
    expect(refreshed.connected).toBe(true);
  });

  it('is not extended by an invalid token, or by one of another user or session', async () => {
    const socket = await open(expiring(3));
    const disconnect = reasonOf(socket);
    const rejected = { ok: false, error: { code: 'unauthorized', message: 'Unauthorized' } };
    expect(await refresh(socket, people.ben, { sessionId })).toEqual(rejected);
    expect(await refresh(socket, people.member)).toEqual(rejected);
    expect(await refresh(socket, people.member, { ...expiring(-1) })).toEqual(rejected);
    expect(await emit(socket, 'auth:refresh', { token: 'x' })).toEqual(rejected);
    expect(await emit(socket, 'auth:refresh', {})).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    await waitFor(() => disconnect.reason !== undefined, { what: 'the socket to be closed' });
    expect(disconnect.reason).toBe('io server disconnect');
  });
});
