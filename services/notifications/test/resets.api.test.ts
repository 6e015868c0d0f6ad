import { invitationRevoked, passwordResetMade, passwordResetRequested } from '@atrium/proto-events/events/auth';
import { mailDelivered } from '@atrium/proto-events/events/notifications';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import { aReset, someone, startNotifications } from './factories.ts';
import { mailsTo, mailTo, partsOf } from './mailbox.ts';

const LINK = 'https://atrium.example.org/reset-password?token=xyz789';
let service: TestService;

beforeAll(async () => {
  ({ service } = await startNotifications());
});
afterAll(() => service.close());

const aMadeReset = (userId: string, madeBy: string) => ({
  resetId: newId(),
  userId,
  madeBy,
  expiresAt: '2027-01-01T00:00:00.000Z',
});

const outcomeOf = (about: string) => service.published(mailDelivered, (data) => data.about === about);

describe('a request for a new password', () => {
  it('is answered by mail once, in text and in HTML, however often the event comes', async () => {
    const lena = someone({ firstName: 'Lena Marie', lastName: 'Forgetful', timezone: 'Europe/Berlin' });
    service.know(lena);
    const reset = await aReset(lena);
    await service.deliver(passwordResetRequested, reset, 2);
    const mail = await mailTo(lena.email);
    expect(mail.subject).toBe('Set a new password for Northwind');
    expect(mail.from).toBe('Northwind <no-reply@atrium.example.org>');
    expect(mail.text).toContain('Hello Lena Marie,');
    expect(mail.text).toContain(LINK);
    expect(mail.text).toContain(
      'This link works once and until Saturday, January 2, 2027, at 11:00 AM (Europe/Berlin).',
    );
    expect(mail.text).toContain('If you did not ask for it, ignore this mail: your password stays as it is.');
    expect(mail.html).toContain(`href="${LINK}"`);
    expect(mail.html).not.toMatch(/<img|<script|src=["']?http|url\(/);
    expect((await outcomeOf(reset.resetId)).data).toMatchObject({ kind: 'reset', outcome: 'sent' });
    expect(await mailsTo(lena.email)).toHaveLength(1);
  });

  it('is readable in a client that shows text only: short lines that end in no link of their own', async () => {
    const reader = someone();
    service.know(reader);
    await service.deliver(passwordResetRequested, await aReset(reader));
    const { parsed } = await partsOf(await mailTo(reader.email));
    expect(parsed.text).not.toMatch(/<[a-z]|&[a-z]+;/);
    expect(parsed.text?.split('\n')).toContain(LINK);
  });

  it('is answered, too, where nothing is known of the person yet', async () => {
    const stranger = { _id: newId(), email: `${newId()}@example.org` };
    await service.deliver(passwordResetRequested, await aReset(stranger));
    expect((await mailTo(stranger.email)).text).toContain('Hello,\n');
  });

  it('is not answered any more when the link has run out', async () => {
    const reader = someone();
    service.know(reader);
    const reset = await aReset(reader);
    await service.deliver(passwordResetRequested, { ...reset, expiresAt: new Date().toISOString() });
    expect((await outcomeOf(reset.resetId)).data.outcome).toBe('failed');
    expect(await mailsTo(reader.email)).toHaveLength(0);
  });

  it('is a mail of its own each time', async () => {
    const reader = someone();
    service.know(reader);
    await service.deliver(passwordResetRequested, await aReset(reader), 2);
    await service.deliver(passwordResetRequested, await aReset(reader), 2);
    await mailTo(reader.email, 2);
    expect(await mailsTo(reader.email)).toHaveLength(2);
  });
});

it('mails nobody about an invitation that was taken back', async () => {
  const reader = someone();
  service.know(reader);
  await service.deliver(invitationRevoked, { invitationId: newId(), userId: reader._id }, 2);
  await service.deliver(passwordResetRequested, await aReset(reader));
  await mailTo(reader.email);
  expect(await mailsTo(reader.email)).toHaveLength(1);
});

it('keeps on record, once, that an administrator made a link to a new password', async () => {
  const [reader, admin] = [someone(), someone({ role: 'admin' })];
  service.know(reader, admin);
  await service.deliver(passwordResetMade, aMadeReset(reader._id, admin._id), 2, admin._id);
  const store = await createConnection(service.env.MONGO_URL ?? '').asPromise();
  const kept = await store.collection('activities').find({ subjectId: reader._id }).toArray();
  await store.close();
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatchObject({ type: 'auth.reset.made', actorId: admin._id, resource: 'user' });
});
