import { invitationCreated, invitationDelivered, invitationRevoked } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { bearer, createMember, decryptLink, invite, PASSWORD, parseToken, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

type Listed = { _id: string; email: string; firstName: string; delivery: string; expired: boolean; inviteUrl?: string };
type Page = { data: Listed[]; total: number; page: number; totalPages: number };

const list = (query = '', by = admin) => service.call('GET', `/auth/invites${query}`, { headers: bearer(by) });
const resend = (id: string, by = admin) => service.call('POST', `/auth/invites/${id}/resend`, { headers: bearer(by) });
const revoke = (id: string, by = admin) => service.call('DELETE', `/auth/invites/${id}`, { headers: bearer(by) });
const accept = (token: string) => service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });
const findListed = async (id: string) => ((await list('?limit=100')).body as Page).data.find(({ _id }) => _id === id);

/** Returns the last of the first `count` events that requested an email for an invitation. */
const waitForEmailRequest = async (invitationId: string, count: number) => {
  const seenUrls: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const event = await service.waitForEvent(
      invitationCreated,
      (data) => data.invitationId === invitationId && !seenUrls.includes(data.sealedUrl),
    );
    seenUrls.push(event.data.sealedUrl);
    if (n === count - 1) return event;
  }
  throw new Error('No email was requested');
};

describe('GET /auth/invites', () => {
  it('lists pending invitations newest first, including expired ones', async () => {
    const acceptedMember = await createMember(service, admin);
    const expiredInvitation = await invite(service, admin);
    await service.query(`update invitations set expires_at = now() where id = $1`, [expiredInvitation.id]);
    const newInvitation = await invite(service, admin);
    const { status, body } = await list();
    expect(status).toBe(200);
    const { data, total, page, totalPages } = body as Page;
    expect({ total, page, totalPages }).toEqual({ total: 2, page: 1, totalPages: 1 });
    expect(data.map(({ _id, expired }) => ({ _id, expired }))).toEqual([
      { _id: newInvitation.id, expired: false },
      { _id: expiredInvitation.id, expired: true },
    ]);
    expect(data[0]).toMatchObject({
      user: newInvitation.userId,
      email: newInvitation.email,
      role: 'member',
      department: null,
      delivery: 'queued',
      invitedBy: { _id: admin.user._id },
    });
    expect(JSON.stringify(data)).not.toMatch(/inviteUrl|token|hash/i);
    expect(JSON.stringify(data)).not.toContain(acceptedMember.user.email);
    expect((await list('?limit=1&page=2')).body).toMatchObject({
      data: [{ _id: expiredInvitation.id }],
      total: 2,
      totalPages: 2,
    });
    expect((await list('?limit=100&page=101')).status).toBe(400);
  });

  it('shows the current profile of the invited user', async () => {
    const { id, userId, email } = await invite(service, admin);
    service.addToDirectory(buildUser({ _id: userId, email, firstName: 'Paula', status: 'inactive', version: 2 }));
    expect(await findListed(id)).toMatchObject({ firstName: 'Paula' });
  });
});

describe('POST /auth/invites/{id}/resend', () => {
  it('creates a new seven-day link, publishes it, and invalidates the previous one', async () => {
    const { id, token, userId } = await invite(service, admin);
    await service.query(`update invitations set expires_at = now() - interval '1 day' where id = $1`, [id]);
    const { status, body } = await resend(id);
    expect(status).toBe(200);
    const response = body as Listed & { inviteUrl: string; expiresAt: string };
    expect(response).toMatchObject({ _id: id, user: userId, expired: false, delivery: 'queued' });
    expect((Date.parse(response.expiresAt) - Date.now()) / 86_400_000).toBeGreaterThan(6.9);
    const event = await waitForEmailRequest(id, 2);
    expect(event.actorId).toBe(admin.user._id);
    expect(await decryptLink(event.data.sealedUrl)).toBe(response.inviteUrl);
    const previousLinkResponse = await accept(token);
    expect(previousLinkResponse.body).toMatchObject({ message: 'Invalid invitation token', code: 'invalid_token' });
    expect((await accept(parseToken(response.inviteUrl))).status).toBe(201);
    expect((await resend(id)).body).toMatchObject({ message: 'Invitation not found' });
  });

  it('publishes the current name, role, and department', async () => {
    const { id, userId, email } = await invite(service, admin);
    service.addToDirectory(
      buildUser({ _id: userId, email, role: 'project_manager', firstName: 'Paula', status: 'inactive' }),
    );
    await resend(id);
    expect((await waitForEmailRequest(id, 2)).data).toMatchObject({ firstName: 'Paula', role: 'project_manager' });
  });

  it('is serialized with a concurrent acceptance', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, token } = await invite(service, admin);
      const [acceptResponse, resendResponse] = await Promise.all([accept(token), resend(id)]);
      expect([
        [201, 404],
        [400, 200],
      ]).toContainEqual([acceptResponse.status, resendResponse.status]);
      if (resendResponse.status !== 200) continue;
      const { inviteUrl } = resendResponse.body as { inviteUrl: string };
      expect((await accept(parseToken(inviteUrl))).status).toBe(201);
    }
  });
});

describe('DELETE /auth/invites/{id}', () => {
  it('deletes the account, publishes an event, and frees the email', async () => {
    const { id, token, userId, email } = await invite(service, admin);
    expect((await revoke(id)).status).toBe(204);
    const event = await service.waitForEvent(invitationRevoked, ({ invitationId }) => invitationId === id);
    expect(event).toMatchObject({ actorId: admin.user._id, data: { userId } });
    expect((await accept(token)).body).toMatchObject({ code: 'invalid_token' });
    expect(await service.query('select id from accounts where id = $1', [userId])).toEqual([]);
    expect((await revoke(id)).status).toBe(404);
    await invite(service, admin, { email });
  });

  it('is serialized with a concurrent acceptance', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, token, userId } = await invite(service, admin);
      const [acceptResponse, revokeResponse] = await Promise.all([accept(token), revoke(id)]);
      expect([
        [201, 404],
        [400, 204],
      ]).toContainEqual([acceptResponse.status, revokeResponse.status]);
      const accounts = await service.query('select state from accounts where id = $1', [userId]);
      expect(accounts).toEqual(acceptResponse.status === 201 ? [{ state: 'active' }] : []);
    }
  });
});

describe('the invitation endpoints', () => {
  it('reject callers who are not administrators, and unknown ids', async () => {
    const { id } = await invite(service, admin);
    const member = await createMember(service, admin, 'project_manager');
    for (const call of [list('', member), resend(id, member), revoke(id, member)]) {
      const { status, body } = await call;
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: 'Only administrators can invite people' });
    }
    expect((await service.call('GET', '/auth/invites')).status).toBe(401);
    expect((await service.call('POST', `/auth/invites/${id}/resend`)).status).toBe(401);
    expect((await service.call('DELETE', `/auth/invites/${id}`)).status).toBe(401);
    for (const unknownId of [newId(), 'nonsense']) {
      expect((await resend(unknownId)).status).toBe(404);
      expect((await revoke(unknownId)).status).toBe(404);
    }
  });
});

describe('on notifications.mail.delivered', () => {
  const deliver = (
    about: string,
    overrides: { outcome: 'sent' | 'failed' | 'uncertain'; cause: string; kind?: string },
  ) => service.deliver(emailDelivered, { kind: 'invitation', about, ...overrides }, 2);
  const countDeliveryEvents = (id: string) =>
    service.countPublished(invitationDelivered, ({ invitationId }) => invitationId === id);

  it.each(['sent', 'failed'] as const)(
    'marks the email of the invitation as %s, and publishes that once',
    async (outcome) => {
      const { id, userId } = await invite(service, admin);
      const { id: cause } = await waitForEmailRequest(id, 1);
      await deliver(id, { outcome, cause });
      expect(await findListed(id)).toMatchObject({ delivery: outcome });
      const event = await service.waitForEvent(invitationDelivered, ({ invitationId }) => invitationId === id);
      expect(event.data).toEqual({ invitationId: id, userId, outcome });
      expect(countDeliveryEvents(id)).toBe(1);
    },
  );

  it('resets the delivery to queued on resend, and ignores the outcome of the previous email', async () => {
    const { id } = await invite(service, admin);
    const firstRequest = await waitForEmailRequest(id, 1);
    await deliver(id, { outcome: 'failed', cause: firstRequest.id });
    expect((await resend(id)).body).toMatchObject({ delivery: 'queued' });
    const secondRequest = await waitForEmailRequest(id, 2);
    await deliver(id, { outcome: 'failed', cause: firstRequest.id });
    expect(await findListed(id)).toMatchObject({ delivery: 'queued' });
    await deliver(id, { outcome: 'sent', cause: secondRequest.id });
    expect(await findListed(id)).toMatchObject({ delivery: 'sent' });
  });

  it('reports an uncertain outcome of an email until the outcome is certain', async () => {
    const { id } = await invite(service, admin);
    const { id: cause } = await waitForEmailRequest(id, 1);
    await deliver(id, { outcome: 'uncertain', cause });
    expect(await findListed(id)).toMatchObject({ delivery: 'uncertain' });
    await deliver(id, { outcome: 'sent', cause });
    expect(await findListed(id)).toMatchObject({ delivery: 'sent' });
    await deliver(id, { outcome: 'uncertain', cause });
    expect(await findListed(id)).toMatchObject({ delivery: 'sent' });
  });

  it('ignores emails that belong to no pending invitation', async () => {
    const { id } = await invite(service, admin);
    const { id: cause } = await waitForEmailRequest(id, 1);
    await deliver(id, { kind: 'meeting', outcome: 'sent', cause });
    expect(await findListed(id)).toMatchObject({ delivery: 'queued' });
    await revoke(id);
    await deliver(id, { outcome: 'sent', cause });
    expect(countDeliveryEvents(id)).toBe(0);
  });
});
