import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { bearer, createMember, invite, PASSWORD, parseToken, type SignedIn, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

const accept = (token: string) => service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });
const reset = (token: string) =>
  service.call('POST', '/auth/reset-password', { body: { token, password: 'Another#Horse2' } });
const createResetToken = async (by: SignedIn, { user }: SignedIn) => {
  const { body } = await service.call('POST', `/users/${user._id}/reset-link`, { headers: bearer(by) });
  return parseToken((body as { resetUrl: string }).resetUrl);
};
const resend = async (by: SignedIn, id: string) => {
  const { body } = await service.call('POST', `/auth/invites/${id}/resend`, { headers: bearer(by) });
  return parseToken((body as { inviteUrl: string }).inviteUrl);
};

/** Directory entries of an administrator whose sessions have ended. */
const revocations = {
  'was deactivated': { role: 'admin', status: 'inactive' },
  'was deleted': { role: 'admin', status: 'inactive', deleted: true },
  'has a different role': { role: 'member' },
  'was deactivated and reactivated': { role: 'admin' },
} as const;

describe.each(Object.entries(revocations))('a link of an administrator who %s', (_description, entry) => {
  it('is rejected', async () => {
    const formerAdmin = await createMember(service, admin, 'admin');
    const member = await createMember(service, admin);
    const invited = await invite(service, formerAdmin, { role: 'admin' });
    const resetToken = await createResetToken(formerAdmin, member);
    service.addToDirectory(
      buildUser({ _id: formerAdmin.user._id, sessionsValidAfter: Date.now() + 1, version: 3, ...entry }),
    );
    expect(await accept(invited.token)).toMatchObject({
      status: 400,
      body: { code: 'token_expired', message: 'This invitation has expired' },
    });
    expect(await reset(resetToken)).toMatchObject({
      status: 400,
      body: { code: 'token_expired', message: 'This reset link has expired' },
    });
    const listResponse = await service.call('GET', '/auth/invites', { headers: bearer(admin) });
    const { data } = listResponse.body as { data: { _id: string; expired: boolean }[] };
    expect(data.find(({ _id }) => _id === invited.id)).toMatchObject({ expired: true });
    // The administrator who resends the link becomes responsible for it.
    expect((await accept(await resend(admin, invited.id))).status).toBe(201);
  });
});

describe('a link', () => {
  it('depends on the administrator who last sent it, not on the one who first invited', async () => {
    const formerAdmin = await createMember(service, admin, 'admin');
    const resentByAdmin = await invite(service, formerAdmin);
    const resentByFormerAdmin = await invite(service, admin);
    const validToken = await resend(admin, resentByAdmin.id);
    const revokedToken = await resend(formerAdmin, resentByFormerAdmin.id);
    service.addToDirectory(
      buildUser({ _id: formerAdmin.user._id, sessionsValidAfter: Date.now() + 1, status: 'inactive', version: 3 }),
    );
    expect((await accept(validToken)).status).toBe(201);
    expect((await accept(revokedToken)).status).toBe(400);
  });

  it('belongs to the inviter when no sender is recorded', async () => {
    const formerAdmin = await createMember(service, admin, 'admin');
    const sentByAdmin = await invite(service, admin);
    const sentByFormerAdmin = await invite(service, formerAdmin);
    await service.query('update invitations set sent_by = null, sent_at = null');
    service.addToDirectory(
      buildUser({ _id: formerAdmin.user._id, sessionsValidAfter: Date.now() + 1, status: 'inactive', version: 3 }),
    );
    expect((await accept(sentByAdmin.token)).status).toBe(201);
    expect((await accept(sentByFormerAdmin.token)).status).toBe(400);
  });

  it('is temporarily unavailable while its creator is unknown to the directory', async () => {
    const invited = await invite(service, admin);
    await service.query(`update invitations set invited_by = 'ffffffffffffffffffffffff' where id = $1`, [invited.id]);
    expect((await accept(invited.token)).status).toBe(503);
  });

  it('requested by its own user depends on no administrator', async () => {
    const member = await createMember(service, admin);
    const resetToken = await createResetToken(admin, member);
    expect((await reset(resetToken)).status).toBe(200);
  });
});
