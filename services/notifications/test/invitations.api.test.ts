import { accountActivated, invitationCreated, invitationRevoked } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildInvitation, sealLink, startNotifications, type TestUsers } from './factories.ts';
import { emailsTo, parseEmail, waitForEmail } from './mailbox.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
});
afterAll(() => service.close());

const waitForOutcome = (about: string) => service.waitForEvent(emailDelivered, (data) => data.about === about);

describe('an invitation email', () => {
  it('arrives once, with its link, as text and HTML, even if the event is redelivered', async () => {
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation, 2);
    const mail = await waitForEmail(invitation.email);
    expect(mail.subject).toBe('Ada Admin invited you to Northwind');
    expect(mail.from).toBe('Northwind <no-reply@atrium.example.org>');
    expect(mail.text).toContain('https://atrium.example.org/accept-invite?token=abc123');
    expect(mail.html).toContain('href="https://atrium.example.org/accept-invite?token=abc123"');
    expect((await waitForOutcome(invitation.invitationId)).data).toMatchObject({ kind: 'invitation', outcome: 'sent' });
    expect(await emailsTo(invitation.email)).toHaveLength(1);
  });

  it('reports its outcome once', async () => {
    const countBefore = service.countPublished(emailDelivered);
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation, 2);
    const event = await waitForOutcome(invitation.invitationId);
    expect(service.countPublished(emailDelivered)).toBe(countBefore + 1);
    // The cause distinguishes resent emails of one invitation.
    expect(event.data.cause).toMatch(/^[0-9a-f]{24}$/);
  });

  it('is a separate email when it is resent', async () => {
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation);
    await waitForEmail(invitation.email);
    await service.deliver(invitationCreated, {
      ...invitation,
      sealedUrl: await sealLink('https://atrium.example.org/accept-invite?token=second'),
    });
    expect((await waitForEmail(invitation.email, 2)).text).toContain('token=second');
  });

  it('escapes names in HTML and loads no external resources', async () => {
    const invitation = await buildInvitation(users.admin._id, { firstName: '<img/src=x>', lastName: '"&\'' });
    await service.deliver(invitationCreated, invitation);
    const { html } = await waitForEmail(invitation.email);
    expect(html).toContain('Hello &lt;img/src=x&gt;');
    expect(html).not.toMatch(/<img|<script|<table|src=["']?http|url\(/);
  });

  it('isolates right-to-left names in text and HTML', async () => {
    const invitation = await buildInvitation(users.admin._id, { firstName: 'נועה', lastName: 'לוי' });
    await service.deliver(invitationCreated, invitation);
    const { text, html } = await waitForEmail(invitation.email);
    expect(text).toContain('Hello \u2068נועה\u2069,');
    expect(html).toContain('Hello <bdi>נועה</bdi>,');
  });

  it('has a stable Message-ID and is marked as auto-generated', async () => {
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation);
    const { parsed } = await parseEmail(await waitForEmail(invitation.email));
    expect(parsed.messageId).toMatch(/^<[0-9a-f]{24}\.[0-9a-f]{24}@atrium\.example\.org>$/);
    expect(parsed.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  });

  it('is not sent if it is queued after the invitation was revoked or accepted', async () => {
    const revokedInvitation = await buildInvitation(users.admin._id);
    const acceptedInvitation = await buildInvitation(users.admin._id);
    const { invitationId, userId } = revokedInvitation;
    await service.deliver(invitationRevoked, { invitationId, userId });
    await service.deliver(accountActivated, { userId: acceptedInvitation.userId });
    for (const lateInvitation of [revokedInvitation, acceptedInvitation]) {
      await service.deliver(invitationCreated, lateInvitation, 2);
      expect((await waitForOutcome(lateInvitation.invitationId)).data.outcome).toBe('failed');
      expect(await emailsTo(lateInvitation.email)).toHaveLength(0);
    }
  });

  it('fails when its link has expired', async () => {
    const invitation = await buildInvitation(users.admin._id, { expiresAt: new Date().toISOString() });
    await service.deliver(invitationCreated, invitation);
    expect((await waitForOutcome(invitation.invitationId)).data.outcome).toBe('failed');
    expect(await emailsTo(invitation.email)).toHaveLength(0);
  });

  it('fails when its link cannot be opened', async () => {
    const sealedUrl = await sealLink('https://atrium.example.org', new Uint8Array(32).fill(9));
    const invitation = await buildInvitation(users.admin._id, { sealedUrl });
    await service.deliver(invitationCreated, invitation);
    expect((await waitForOutcome(invitation.invitationId)).data.outcome).toBe('failed');
    expect(await emailsTo(invitation.email)).toHaveLength(0);
  });
});
