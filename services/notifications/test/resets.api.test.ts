import { invitationRevoked, passwordResetCreated, passwordResetRequested } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { buildPasswordReset, buildUniqueUser } from './factories.ts';
import { emailsTo, parseEmail, waitForEmail } from './mailbox.ts';
import { startWithStore } from './start-with-store.ts';

const LINK = 'https://atrium.example.org/reset-password?token=xyz789';
let service: TestService;
let store: Connection;

beforeAll(async () => {
  ({ service, store } = await startWithStore());
});
afterAll(() => service.close());

const buildAdminReset = (userId: string, createdBy: string) => ({
  resetId: newId(),
  userId,
  madeBy: createdBy,
  expiresAt: '2083-01-01T00:00:00.000Z',
});

const waitForOutcome = (about: string) => service.waitForEvent(emailDelivered, (data) => data.about === about);

describe('a password reset request', () => {
  it('sends one email, as text and HTML, even if the event is redelivered', async () => {
    const user = buildUniqueUser({ firstName: 'Lena Marie', lastName: 'Forgetful', timezone: 'Europe/Berlin' });
    service.addToDirectory(user);
    const reset = await buildPasswordReset(user);
    await service.deliver(passwordResetRequested, reset, 2);
    const mail = await waitForEmail(user.email);
    expect(mail.subject).toBe('Reset your Northwind password');
    expect(mail.from).toBe('Northwind <no-reply@atrium.example.org>');
    expect(mail.text).toContain('Hello Lena Marie,');
    expect(mail.text).toContain(LINK);
    expect(mail.text).toContain(
      'This link works once and expires on Saturday, January 2, 2083, at 11:00 AM (Europe/Berlin).',
    );
    expect(mail.text).toContain('If you didn’t request it, you can ignore this email: your password has not changed.');
    expect(mail.html).toContain(`href="${LINK}"`);
    expect(mail.html).not.toMatch(/<img|<script|src=["']?http|url\(/);
    expect((await waitForOutcome(reset.resetId)).data).toMatchObject({ kind: 'reset', outcome: 'sent' });
    expect(await emailsTo(user.email)).toHaveLength(1);
  });

  it('has a readable text version: short lines without trailing links', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    await service.deliver(passwordResetRequested, await buildPasswordReset(reader));
    const { parsed } = await parseEmail(await waitForEmail(reader.email));
    expect(parsed.text).not.toMatch(/<[a-z]|&[a-z]+;/);
    expect(parsed.text?.split('\n')).toContain(LINK);
  });

  it('sends an email even if the directory does not know the user yet', async () => {
    const unknownUser = { _id: newId(), email: `${newId()}@example.org` };
    await service.deliver(passwordResetRequested, await buildPasswordReset(unknownUser));
    expect((await waitForEmail(unknownUser.email)).text).toContain('Hello,\n');
  });

  it('sends no email when the link has expired', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    const reset = await buildPasswordReset(reader);
    await service.deliver(passwordResetRequested, { ...reset, expiresAt: new Date().toISOString() });
    expect((await waitForOutcome(reset.resetId)).data.outcome).toBe('failed');
    expect(await emailsTo(reader.email)).toHaveLength(0);
  });

  it('sends a separate email for each request', async () => {
    const reader = buildUniqueUser();
    service.addToDirectory(reader);
    await service.deliver(passwordResetRequested, await buildPasswordReset(reader), 2);
    await service.deliver(passwordResetRequested, await buildPasswordReset(reader), 2);
    await waitForEmail(reader.email, 2);
    expect(await emailsTo(reader.email)).toHaveLength(2);
  });
});

it('a revoked invitation sends no email', async () => {
  const reader = buildUniqueUser();
  service.addToDirectory(reader);
  await service.deliver(invitationRevoked, { invitationId: newId(), userId: reader._id }, 2);
  await service.deliver(passwordResetRequested, await buildPasswordReset(reader));
  await waitForEmail(reader.email);
  expect(await emailsTo(reader.email)).toHaveLength(1);
});

it('a reset link created by an administrator is recorded once in the activity log', async () => {
  const reader = buildUniqueUser();
  const admin = buildUniqueUser({ role: 'admin' });
  service.addToDirectory(reader, admin);
  await service.deliver(passwordResetCreated, buildAdminReset(reader._id, admin._id), 2, admin._id);
  const records = await store.collection('activities').find({ subjectId: reader._id }).toArray();
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ type: 'auth.reset.made', actorId: admin._id, resource: 'user' });
});
