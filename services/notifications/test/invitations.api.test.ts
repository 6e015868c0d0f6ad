import { accountActivated, invitationCreated, invitationRevoked } from '@atrium/proto-events/events/auth';
import { mailDelivered } from '@atrium/proto-events/events/notifications';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anInvitation, type People, sealLink, startNotifications } from './factories.ts';
import { mailsTo, mailTo, partsOf } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

const outcomeOf = (about: string) => service.published(mailDelivered, (data) => data.about === about);

describe('an invitation', () => {
  it('arrives once, with the link, in text and in HTML, however often the event comes', async () => {
    const invitation = await anInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation, 2);
    const mail = await mailTo(invitation.email);
    expect(mail.subject).toBe('Ada Admin invited you to Northwind');
    expect(mail.from).toBe('Northwind <no-reply@atrium.example.org>');
    expect(mail.text).toContain('https://atrium.example.org/accept-invite?token=abc123');
    expect(mail.html).toContain('href="https://atrium.example.org/accept-invite?token=abc123"');
    expect((await outcomeOf(invitation.invitationId)).data).toMatchObject({ kind: 'invitation', outcome: 'sent' });
    expect(await mailsTo(invitation.email)).toHaveLength(1);
  });

  it('says what became of it once', async () => {
    const before = service.countPublished(mailDelivered);
    const invitation = await anInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation, 2);
    const event = await outcomeOf(invitation.invitationId);
    expect(service.countPublished(mailDelivered)).toBe(before + 1);
    // The event that it followed from, by which its reader tells this mail from the next for the same invitation.
    expect(event.data.cause).toMatch(/^[0-9a-f]{24}$/);
  });

  it('is a mail of its own when it is sent again', async () => {
    const invitation = await anInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation);
    await mailTo(invitation.email);
    await service.deliver(invitationCreated, {
      ...invitation,
      sealedUrl: await sealLink('https://atrium.example.org/accept-invite?token=second'),
    });
    expect((await mailTo(invitation.email, 2)).text).toContain('token=second');
  });

  it('escapes the names of people in HTML and fetches nothing', async () => {
    const invitation = await anInvitation(people.admin._id, { firstName: '<img/src=x>', lastName: '"&\'' });
    await service.deliver(invitationCreated, invitation);
    const { html } = await mailTo(invitation.email);
    expect(html).toContain('Hello &lt;img/src=x&gt;');
    expect(html).not.toMatch(/<img|<script|<table|src=["']?http|url\(/);
  });

  it('gives a right-to-left name its own direction in text and in HTML', async () => {
    const invitation = await anInvitation(people.admin._id, { firstName: 'נועה', lastName: 'לוי' });
    await service.deliver(invitationCreated, invitation);
    const { text, html } = await mailTo(invitation.email);
    expect(text).toContain('Hello \u2068נועה\u2069,');
    expect(html).toContain('Hello <bdi>נועה</bdi>,');
  });

  it('has an id that stays the same and says that no person wrote it', async () => {
    const invitation = await anInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation);
    const { parsed } = await partsOf(await mailTo(invitation.email));
    expect(parsed.messageId).toMatch(/^<[0-9a-f]{24}\.[0-9a-f]{24}@atrium\.example\.org>$/);
    expect(parsed.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  });

  it('does not leave when it is queued after the invitation was taken back or accepted', async () => {
    const [gone, accepted] = [await anInvitation(people.admin._id), await anInvitation(people.admin._id)];
    await service.deliver(invitationRevoked, { invitationId: gone.invitationId, userId: gone.userId });
    await service.deliver(accountActivated, { userId: accepted.userId });
    for (const late of [gone, accepted]) {
      await service.deliver(invitationCreated, late, 2);
      expect((await outcomeOf(late.invitationId)).data.outcome).toBe('failed');
      expect(await mailsTo(late.email)).toHaveLength(0);
    }
  });

  it('counts as failed when its link has run out', async () => {
    const invitation = await anInvitation(people.admin._id, { expiresAt: new Date().toISOString() });
    await service.deliver(invitationCreated, invitation);
    expect((await outcomeOf(invitation.invitationId)).data.outcome).toBe('failed');
    expect(await mailsTo(invitation.email)).toHaveLength(0);
  });

  it('counts as failed when its link cannot be opened', async () => {
    const sealedUrl = await sealLink('https://atrium.example.org', new Uint8Array(32).fill(9));
    const invitation = await anInvitation(people.admin._id, { sealedUrl });
    await service.deliver(invitationCreated, invitation);
    expect((await outcomeOf(invitation.invitationId)).data.outcome).toBe('failed');
    expect(await mailsTo(invitation.email)).toHaveLength(0);
  });
});
