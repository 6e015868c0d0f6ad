import { accountActivated, invitationCreated } from '@atrium/proto-events/events/auth';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { compactDecrypt } from 'jose';
import {
  bearer,
  buildDeactivatedUser,
  buildEmail,
  createMember,
  getSessionId,
  invite,
  PASSWORD,
  SEALING_KEY,
  type SignedIn,
  signIn,
  startWithAdmin,
} from './factories.ts';

const DEPARTMENT = { _id: 'd'.repeat(24), name: 'Design', isActive: true, version: 1 };
const { service, admin } = await startWithAdmin();
service.running.directory.putDepartment(DEPARTMENT);

const postInvite = (body: unknown, by: SignedIn = admin) =>
  service.call('POST', '/auth/invite', { headers: bearer(by), body });
const buildBody = (overrides: Record<string, unknown> = {}) => ({
  email: buildEmail(),
  firstName: 'Paul',
  lastName: 'Invited',
  role: 'project_manager',
  ...overrides,
});
const accept = (token: string, overrides: Record<string, unknown> = {}) =>
  service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD, ...overrides } });

describe('POST /auth/invite', () => {
  it('returns the invitation link and publishes it sealed', async () => {
    const { status, body } = await postInvite(buildBody({ department: DEPARTMENT._id }));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      role: 'project_manager',
      department: { _id: DEPARTMENT._id, name: 'Design' },
      delivery: 'queued',
      inviteUrl: expect.stringMatching(/^https:\/\/atrium\.example\.org\/accept-invite\?token=[\w-]{43}$/),
    });
    const response = body as { _id: string; user: string; inviteUrl: string; expiresAt: string };
    const days = (Date.parse(response.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7.01);
    const event = await service.waitForEvent(invitationCreated, (data) => data.userId === response.user);
    expect(event.actorId).toBe(admin.user._id);
    expect(event.data).toMatchObject({
      invitationId: response._id,
      departmentId: DEPARTMENT._id,
      invitedBy: admin.user._id,
    });
    expect(JSON.stringify(event)).not.toContain('token=');
    const { plaintext } = await compactDecrypt(event.data.sealedUrl, SEALING_KEY);
    expect(new TextDecoder().decode(plaintext)).toBe(response.inviteUrl);
  });

  it('accepts 500 invitations in a row from one administrator', async () => {
    const statuses: number[] = [];
    for (let batch = 0; batch < 100; batch += 1) {
      const responses = await Promise.all(Array.from({ length: 5 }, () => postInvite(buildBody())));
      statuses.push(...responses.map(({ status }) => status));
    }
    expect(statuses).toEqual(Array(500).fill(201));
  });

  it('stores neither token nor link in plain text', async () => {
    const { token } = await invite(service, admin);
    const stored = await service.query(`select row_to_json(i)::text as row from invitations i`);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('reports every invalid field', async () => {
    const { status, body } = await postInvite({ role: 'owner' });
    expect(status).toBe(400);
    expect((body as { message: string[] }).message.slice(0, 3)).toEqual([
      'Email is required',
      'First name is required',
      'Last name is required',
    ]);
    const unknownDepartment = await postInvite(buildBody({ department: 'e'.repeat(24) }));
    expect(unknownDepartment.status).toBe(400);
    expect(unknownDepartment.body).toMatchObject({
      message: ['Unknown department'],
      errors: [{ path: 'body.department' }],
    });
    expect((await postInvite(buildBody({ department: 'Design' }))).status).toBe(400);
  });

  it('rejects callers who are not administrators', async () => {
    for (const role of ['project_manager', 'member'] as const) {
      const { status, body } = await postInvite(buildBody(), await createMember(service, admin, role));
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: 'Only administrators can invite people' });
    }
    expect((await service.call('POST', '/auth/invite', { body: buildBody() })).status).toBe(401);
  });

  it('responds with 409 for an email with an account, and for the second of two concurrent invitations', async () => {
    const conflictResponse = await postInvite(buildBody({ email: admin.user.email.toUpperCase() }));
    expect(conflictResponse.status).toBe(409);
    expect(conflictResponse.body).toMatchObject({ message: 'A user with this email already exists' });
    const email = buildEmail();
    const responses = await Promise.all([postInvite(buildBody({ email })), postInvite(buildBody({ email }))]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('POST /auth/invites/check', () => {
  const checkEmails = (emails: unknown, by: SignedIn = admin) =>
    service.call('POST', '/auth/invites/check', { headers: bearer(by), body: { emails } });

  it('returns the addresses that have an account or an invitation, regardless of case, name, and normal form', async () => {
    const member = await createMember(service, admin);
    const invited = await invite(service, admin, { email: 'jürgen@bücher.example' });
    const { status, body } = await checkEmails([
      `Someone <${member.user.email.toUpperCase()}>`,
      'JU\u0308RGEN@bu\u0308cher.example',
      buildEmail(),
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: expect.arrayContaining([
        { email: member.user.email, state: 'active' },
        { email: invited.data.email, state: 'invited' },
      ]),
    });
    expect((body as { data: unknown[] }).data).toHaveLength(2);
  });

  it('rejects an empty list, malformed emails, and more than 200', async () => {
    const invalidLists: [string[], string][] = [
      [[], 'Please enter at least one email address'],
      [['nobody'], 'Please enter a valid email address'],
      [Array.from({ length: 201 }, buildEmail), 'Up to 200 people can be invited at a time'],
    ];
    for (const [emails, message] of invalidLists) {
      const { status, body } = await checkEmails(emails);
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: [message] });
    }
    expect((await checkEmails(Array.from({ length: 200 }, buildEmail))).body).toEqual({ data: [] });
  });

  it('rejects callers who are not administrators', async () => {
    const { status, body } = await checkEmails([buildEmail()], await createMember(service, admin));
    expect(status).toBe(403);
    expect(body).toMatchObject({ message: 'Only administrators can invite people' });
    expect((await service.call('POST', '/auth/invites/check', { body: { emails: [buildEmail()] } })).status).toBe(401);
  });
});

describe('POST /auth/accept-invite', () => {
  it('activates the account, signs in, and publishes events', async () => {
    const { token, userId, email } = await invite(service, admin);
    // The response does not wait indefinitely for a directory in which the user stays inactive.
    const { status, body } = await accept(token, { phone: '+4915112345678', location: 'Hamburg' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ user: { _id: userId, email, role: 'member', status: 'active' } });
    const event = await service.waitForEvent(accountActivated, (data) => data.userId === userId);
    expect(event.data).toEqual({ userId, phone: '+4915112345678', location: 'Hamburg' });
    expect(event.actorId).toBe(userId);
  });

  it('allows signing in after acceptance', async () => {
    const { user } = await createMember(service, admin);
    expect((await signIn(service, user.email)).status).toBe(200);
  });

  it('accepts an invitation once, and rejects the second of two concurrent attempts as invalid', async () => {
    const { token, userId } = await invite(service, admin);
    const responses = await Promise.all([accept(token), accept(token, { password: 'Another#Horse2' })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
    const rejectedResponse = responses.find(({ status }) => status === 400);
    expect(rejectedResponse?.body).toMatchObject({ message: 'Invalid invitation token', code: 'invalid_token' });
    expect((await accept(token, { password: 'Third#Horse3' })).body).toMatchObject({ code: 'invalid_token' });
    const sessions = await service.query('select id from sessions where user_id = $1', [userId]);
    expect(sessions).toHaveLength(1);
  });

  it('signs in a retry with the same password, under the limits of sign-in', async () => {
    const { token, userId, email } = await invite(service, admin);
    const firstSession = (await accept(token)).body as SignedIn;
    service.addToDirectory(buildUser({ _id: userId, email, version: 2 }));
    const { status, body } = await accept(token, { device: firstSession.device });
    expect(status).toBe(201);
    expect(body).toMatchObject({ user: { _id: userId, email }, device: firstSession.device });
    const sessions = await service.query('select id from sessions where user_id = $1', [userId]);
    expect(sessions.map(({ id }) => id).sort()).toEqual([firstSession, body as SignedIn].map(getSessionId).sort());
    await service.waitForEvent(accountActivated, (data) => data.userId === userId);
    expect(service.countPublished(accountActivated, (data) => data.userId === userId)).toBe(1);
    // A revoked or expired link grants no access.
    await service.query('update invitations set expires_at = now() where user_id = $1', [userId]);
    expect((await accept(token)).status).toBe(201);
    for (let count = 0; count < 10; count += 1) {
      const rejectedResponse = await accept(token, { password: 'Another#Horse2' });
      expect(rejectedResponse).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    }
    expect((await accept(token)).status).toBe(429);
    expect((await accept(token, { device: firstSession.device })).status).toBe(201);
    service.addToDirectory(buildDeactivatedUser(userId));
    expect(await accept(token, { device: firstSession.device })).toMatchObject({
      status: 400,
      body: { code: 'invalid_token' },
    });
  });

  it('distinguishes unknown from expired tokens', async () => {
    const unknown = await accept('x'.repeat(43));
    expect(unknown.status).toBe(400);
    expect(unknown.body).toMatchObject({ message: 'Invalid invitation token', code: 'invalid_token' });
    const { token, userId } = await invite(service, admin);
    await service.query('update invitations set expires_at = now() where user_id = $1', [userId]);
    const expired = await accept(token);
    expect(expired.status).toBe(400);
    expect(expired.body).toMatchObject({ message: 'This invitation has expired', code: 'token_expired' });
  });

  it('validates password and phone number', async () => {
    const { token } = await invite(service, admin);
    const invalidResponse = await accept(token, { password: 'alllowercase', phone: '0151' });
    expect(invalidResponse.status).toBe(400);
    expect((invalidResponse.body as { message: string[] }).message).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one number',
      'Password must contain at least one special character (@$!%*?&#)',
      'Please enter a valid phone number',
    ]);
    expect((await service.call('POST', '/auth/accept-invite', { body: { password: PASSWORD } })).body).toMatchObject({
      message: ['Invalid invitation token'],
    });
  });
});

it('an invitation returns the same link for a retry with the same idempotency key, without storing it in plain text', async () => {
  const body = { email: 'lost.response@example.org', firstName: 'Lou', lastName: 'Lost', role: 'member' };
  const postWithKey = () =>
    service.call('POST', '/auth/invite', {
      headers: { ...bearer(admin), 'idempotency-key': 'lost-response' },
      body,
    });
  const first = await postWithKey();
  const retry = await postWithKey();
  expect([first.status, retry.status]).toEqual([201, 201]);
  expect(retry.body).toEqual(first.body);
  const { inviteUrl } = first.body as { inviteUrl: string };
  const token = new URL(inviteUrl).searchParams.get('token') ?? '';
  expect(JSON.stringify(await service.query('select response from idempotency_keys'))).not.toContain(token);
});
