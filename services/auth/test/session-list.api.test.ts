import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import {
  bearer,
  createMember,
  getSessionId,
  refresh,
  type SignedIn,
  signIn,
  startProcess,
  startWithAdmin,
} from './factories.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const { service, admin } = await startWithAdmin();

type Listed = { _id: string; device: string; address: string | null; lastUsedAt: string; current: boolean };
type Page = { data: Listed[]; total: number; totalPages: number };

const list = async (by: SignedIn, query = '') =>
  (await service.call('GET', `/auth/sessions${query}`, { headers: bearer(by) })).body as Page;
const revoke = (id: string, by: SignedIn) => service.call('DELETE', `/auth/sessions/${id}`, { headers: bearer(by) });
const signInAgain = async ({ user }: SignedIn, overrides: Parameters<typeof signIn>[2] = {}) =>
  (await signIn(service, user.email, overrides)).body as SignedIn;

describe('GET /auth/sessions', () => {
  it('lists device, address, and start of each session, and marks the current one', async () => {
    const member = await createMember(service, admin);
    const otherSession = await signInAgain(member, { userAgent: FIREFOX, from: '192.0.2.44' });
    const { data, total } = await list(member);
    expect(total).toBe(2);
    expect(data).toEqual([
      {
        _id: getSessionId(otherSession),
        device: 'Firefox on Linux',
        address: '192.0.2.44',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        current: false,
      },
      expect.objectContaining({
        _id: getSessionId(member),
        device: 'Unknown device',
        address: '127.0.0.1',
        current: true,
      }),
    ]);
    expect((await list(member, '?limit=1&page=2')).data.map(({ _id }) => _id)).toEqual([getSessionId(member)]);
  });

  it('lists the most recently used session first, with the address of that use', async () => {
    const member = await createMember(service, admin);
    const otherSession = await signInAgain(member, { userAgent: FIREFOX, from: '192.0.2.44' });
    await service.query(`update sessions set last_used_at = last_used_at - interval '1 hour' where user_id = $1`, [
      member.user._id,
    ]);
    const lastUsedBefore =
      (await list(member)).data.find(({ _id }) => _id === getSessionId(otherSession))?.lastUsedAt ?? '';
    await service.call('POST', '/auth/refresh', {
      body: { refreshToken: otherSession.refreshToken },
      headers: { 'x-forwarded-for': '192.0.2.45' },
    });
    const [firstSession] = (await list(member)).data;
    // A client without a user agent keeps the known device name.
    expect(firstSession).toMatchObject({
      _id: getSessionId(otherSession),
      address: '192.0.2.45',
      device: 'Firefox on Linux',
    });
    expect(Date.parse(firstSession?.lastUsedAt ?? '')).toBeGreaterThan(Date.parse(lastUsedBefore));
  });

  it('omits expired sessions and sessions of other users', async () => {
    const member = await createMember(service, admin);
    const expiredSession = await signInAgain(member);
    await service.query('update sessions set expires_at = now() where id = $1', [getSessionId(expiredSession)]);
    expect((await list(member)).data.map(({ _id }) => _id)).toEqual([getSessionId(member)]);
  });

  it('rejects pages out of range and anonymous callers', async () => {
    const outOfRangeResponse = await service.call('GET', '/auth/sessions?limit=100&page=101', {
      headers: bearer(admin),
    });
    expect(outOfRangeResponse.status).toBe(400);
    expect((await service.call('GET', '/auth/sessions')).status).toBe(401);
  });
});

describe('DELETE /auth/sessions/{id}', () => {
  it('ends the session on every pod, publishes an event, and keeps the other sessions', async () => {
    const member = await createMember(service, admin);
    const otherSession = await signInAgain(member);
    const pod = await startProcess(service.env);
    try {
      const fetchStatusFromPod = async () =>
        (await fetch(`${pod.url}/api/auth/sessions`, { headers: bearer(otherSession) })).status;
      pod.directory.putUser(buildUser({ _id: member.user._id, version: 2 }));
      await waitFor(async () => (await fetchStatusFromPod()) === 200, {
        description: 'the other process to know the user',
      });
      expect((await revoke(getSessionId(otherSession), member)).status).toBe(204);
      const event = await service.waitForEvent(
        sessionRevoked,
        ({ sessionId }) => sessionId === getSessionId(otherSession),
      );
      expect(event.data).toMatchObject({ userId: member.user._id, reason: 'signed-out' });
      expect((await service.call('GET', '/auth/sessions', { headers: bearer(otherSession) })).status).toBe(401);
      await waitFor(async () => (await fetchStatusFromPod()) === 401, {
        description: 'the other process to reject the token',
      });
    } finally {
      await pod.close();
    }
    expect((await refresh(service, otherSession.refreshToken)).status).toBe(401);
    expect((await refresh(service, member.refreshToken)).status).toBe(200);
    expect((await revoke(getSessionId(otherSession), member)).status).toBe(404);
  });

  it('ends the current session', async () => {
    const member = await createMember(service, admin);
    expect((await revoke(getSessionId(member), member)).status).toBe(204);
    expect((await revoke(getSessionId(member), member)).status).toBe(401);
  });

  it('responds with 404 for sessions of other users, even to administrators', async () => {
    const member = await createMember(service, admin);
    for (const id of [getSessionId(member), newId(), 'nonsense']) {
      expect((await revoke(id, admin)).status).toBe(404);
    }
    expect((await list(member)).total).toBe(1);
    expect((await service.call('DELETE', `/auth/sessions/${getSessionId(member)}`)).status).toBe(401);
  });
});
