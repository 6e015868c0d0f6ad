import { invitationRevoked, sessionRevoked } from '@atrium/proto-events/events/auth';
import { userDeleted } from '@atrium/proto-events/events/users';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import {
  bearer,
  createMember,
  getSessionId,
  invite,
  PASSWORD,
  refresh,
  requestResetToken,
  type SignedIn,
  signIn,
  startWithAdmin,
} from './factories.ts';

const { service, admin } = await startWithAdmin();

const accept = (token: string) => service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });

describe('on users.user.deleted', () => {
  it('deletes the account and its data, ends its sessions once, and frees the email', async () => {
    const member = await createMember(service, admin);
    const otherSession = (await signIn(service, member.user.email)).body as SignedIn;
    const token = await requestResetToken(service, member);
    await service.deliver(userDeleted, { userId: member.user._id, version: 3 }, 2, admin.user._id);
    for (const session of [member, otherSession]) {
      const event = await service.waitForEvent(sessionRevoked, ({ sessionId }) => sessionId === getSessionId(session));
      expect(event).toMatchObject({ actorId: admin.user._id, data: { reason: 'deleted' } });
      expect((await refresh(service, session.refreshToken)).status).toBe(401);
    }
    expect(service.countPublished(sessionRevoked, ({ userId }) => userId === member.user._id)).toBe(2);
    // The invitation was accepted, so none is revoked.
    expect(service.countPublished(invitationRevoked, ({ userId }) => userId === member.user._id)).toBe(0);
    const reset = await service.call('POST', '/auth/reset-password', { body: { token, password: PASSWORD } });
    expect(reset.body).toMatchObject({ code: 'invalid_token' });
    expect((await signIn(service, member.user.email)).body).toMatchObject({ message: 'Invalid credentials' });
    expect(await service.query('select id from accounts where id = $1', [member.user._id])).toEqual([]);
    await invite(service, admin, { email: member.user.email });
  });

  it('revokes the pending invitation of a deleted user', async () => {
    const { id, token, userId } = await invite(service, admin);
    await service.deliver(userDeleted, { userId, version: 2 }, 2, admin.user._id);
    const event = await service.waitForEvent(invitationRevoked, (data) => data.userId === userId);
    expect(event.data.invitationId).toBe(id);
    expect(service.countPublished(invitationRevoked, (data) => data.userId === userId)).toBe(1);
    expect((await accept(token)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('rejects acceptance by a deleted user, even before the event arrives', async () => {
    const { token, userId, email } = await invite(service, admin);
    service.addToDirectory(buildUser({ _id: userId, email, status: 'inactive', deleted: true, version: 2 }));
    expect((await accept(token)).body).toMatchObject({ code: 'invalid_token' });
    const linkResponse = await service.call('POST', `/users/${userId}/reset-link`, { headers: bearer(admin) });
    expect(linkResponse.status).toBe(404);
  });
});
