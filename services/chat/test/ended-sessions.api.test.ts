import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { people, service } from './running-chat.ts';
import { connect, createSocket, tryConnect } from './sockets.ts';

describe('the end of a session', () => {
  const WAIT_FOR_CLOSE = { description: 'the socket to be closed' };
  const trackServerClose = (socket: Socket) => {
    let reason: string | undefined;
    socket.on('disconnect', (disconnectReason) => {
      reason = disconnectReason;
    });
    return () => reason === 'io server disconnect';
  };

  it('closes its sockets in both namespaces, and no others', async () => {
    const sessionId = newId();
    const endedSockets = await Promise.all(
      ['/chat', '/live'].map((namespace) => createSocket(service, namespace, people.member, { sessionId })),
    );
    const other = await createSocket(service, '/chat', people.member);
    await Promise.all([...endedSockets, other].map(connect));
    const closeChecks = endedSockets.map(trackServerClose);
    await service.deliver(sessionRevoked, { userId: people.member._id, sessionId, reason: 'logout' }, 2);
    await waitFor(() => closeChecks.every((isClosed) => isClosed()), WAIT_FOR_CLOSE);
    expect(other.connected).toBe(true);
    expect(await tryConnect(await createSocket(service, '/chat', people.member, { sessionId }))).toBe(
      'Authentication error',
    );
  });

  it('by deactivation, deletion, or a new password closes the user’s sockets, except newer ones', async () => {
    const { ben } = people;
    const socket = await createSocket(service, '/chat', ben, { issuedAt: Date.now() - 60_000 });
    const newerSocket = await createSocket(service, '/chat', ben);
    await Promise.all([socket, newerSocket].map(connect));
    const isClosed = trackServerClose(socket);
    service.addToDirectory({ ...ben, sessionsValidAfter: Date.now() - 30_000, version: 2 });
    await waitFor(isClosed, WAIT_FOR_CLOSE);
    expect(newerSocket.connected).toBe(true);
    const isNewerClosed = trackServerClose(newerSocket);
    service.addToDirectory({ ...ben, status: 'inactive', version: 3 });
    await waitFor(isNewerClosed, WAIT_FOR_CLOSE);
    service.addToDirectory({ ...ben, version: 4 });
  });
});
