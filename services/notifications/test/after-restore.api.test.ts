import { invitationCreated } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { LAST_RESTORE_ID } from '../src/store/records.ts';
import { buildInvitation, type TestUsers } from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';
import { startWithStore } from './start-with-store.ts';

let service: TestService;
let users: TestUsers;
let store: Connection;

beforeAll(async () => {
  ({ service, users, store } = await startWithStore());
});
afterAll(() => service.close());

async function restoreAt(timestamp: number): Promise<void> {
  const at = new Date(timestamp);
  await store
    .collection<{ _id: string }>('restores')
    .updateOne({ _id: LAST_RESTORE_ID }, { $set: { at, cut: at } }, { upsert: true });
}

async function invite() {
  const invitation = await buildInvitation(users.admin._id);
  await service.deliver(invitationCreated, invitation, 2);
  return invitation;
}
const waitForOutcome = async (about: string) =>
  (await service.waitForEvent(emailDelivered, (data) => data.about === about)).data.outcome;

describe('a restored store', () => {
  it('suppresses emails about earlier events, which may have been sent, and reports them as failed', async () => {
    await restoreAt(Date.now() + 60_000);
    const { email, invitationId } = await invite();
    expect(await waitForOutcome(invitationId)).toBe('failed');
    expect(await emailsTo(email)).toHaveLength(0);
  });

  it('sends emails about later events', async () => {
    await restoreAt(Date.now() - 60_000);
    const { email, invitationId } = await invite();
    expect((await waitForEmail(email)).subject).toBe('Ada Admin invited you to Northwind');
    expect(await waitForOutcome(invitationId)).toBe('sent');
  });
});
