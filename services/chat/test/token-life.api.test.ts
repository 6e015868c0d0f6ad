import type { Ack } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { people, service } from './running-chat.ts';
import { aSocket, connected, refusal, say } from './sockets.ts';

const sessionId = newId();
/** A token that has a few seconds left. */
const dying = (leftSeconds: number) => ({ sessionId, issuedAt: Date.now() - (900 - leftSeconds) * 1_000 });
const reasonOf = (socket: Socket) => {
  const seen: { reason?: string } = {};
  socket.once('disconnect', (reason) => {
    seen.reason = reason;
  });
  return seen;
};

describe.each(['/chat', '/live'])('a socket of %s', (namespace) => {
  const open = async (options: Parameters<typeof aSocket>[3]) => {
    const socket = await aSocket(service, namespace, people.member, options);
    await connected(socket);
    return socket;
  };
  const renew = async (socket: Socket, ...given: Parameters<TestService['tokens']['sign']>) =>
    say(socket, 'auth:refresh', { token: await service.tokens.sign(...given) }) as Promise<Ack<{ expiresAt: number }>>;

  it('ends with its token, and its client comes back with another', async () => {
    const socket = await open(dying(2));
    const seen = reasonOf(socket);
    await waitFor(() => seen.reason !== undefined, { what: 'the socket to be closed' });
    expect(seen.reason).toBe('io server disconnect');
    expect(await refusal(socket)).toBe('Authentication error');
    socket.auth = { token: await service.tokens.sign(people.member) };
    expect(await refusal(socket)).toBe('connected');
  });

  it('lives on by a fresh token of the same person and session', async () => {
    const [kept, lost] = await Promise.all([open(dying(2)), open(dying(2))]);
    const seen = reasonOf(lost);
    const before = Date.now();
    const answer = await renew(kept, people.member, { sessionId });
    expect(answer).toEqual({ ok: true, data: { expiresAt: expect.any(Number) } });
    expect(answer.ok && answer.data.expiresAt - before).toBeGreaterThan(890_000);
    await waitFor(() => seen.reason !== undefined, { what: 'the other socket to be closed' });
    expect(await renew(kept, people.member, { sessionId })).toMatchObject({ ok: true });
    expect(kept.connected).toBe(true);
  });

  it('is not prolonged by a bad token, nor by one of another person or session', async () => {
    const socket = await open(dying(3));
    const seen = reasonOf(socket);
    const refused = { ok: false, error: { code: 'unauthorized', message: 'Unauthorized' } };
    expect(await renew(socket, people.ben, { sessionId })).toEqual(refused);
    expect(await renew(socket, people.member)).toEqual(refused);
    expect(await renew(socket, people.member, { ...dying(-1) })).toEqual(refused);
    expect(await say(socket, 'auth:refresh', { token: 'x' })).toEqual(refused);
    expect(await say(socket, 'auth:refresh', {})).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    await waitFor(() => seen.reason !== undefined, { what: 'the socket to be closed' });
    expect(seen.reason).toBe('io server disconnect');
  });
});
