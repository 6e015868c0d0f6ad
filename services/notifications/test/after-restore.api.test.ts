import { invitationCreated } from '@atrium/proto-events/events/auth';
import { mailDelivered } from '@atrium/proto-events/events/notifications';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import { LAST_RESTORE } from '../src/email/suppress-email.ts';
import { anInvitation, type People, startNotifications } from './factories.ts';
import { mailsTo, mailTo } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

/** What a restore leaves in the store. */
async function restoreAt(moment: number): Promise<void> {
  const connection = await createConnection(service.env.MONGO_URL ?? '').asPromise();
  const at = new Date(moment);
  await connection
    .collection<{ _id: string }>('restores')
    .updateOne({ _id: LAST_RESTORE }, { $set: { at, cut: at } }, { upsert: true });
  await connection.close();
}

async function invite() {
  const invitation = await anInvitation(people.admin._id);
  await service.deliver(invitationCreated, invitation, 2);
  return invitation;
}
const outcomeOf = async (about: string) =>
  (await service.published(mailDelivered, (data) => data.about === about)).data.outcome;

describe('a store that was restored', () => {
  it('sends no mail of what happened before, which may have been sent then, and says so to whoever waits', async () => {
    await restoreAt(Date.now() + 60_000);
    const { email, invitationId } = await invite();
    expect(await outcomeOf(invitationId)).toBe('failed');
    expect(await mailsTo(email)).toHaveLength(0);
  });

  it('mails what happens from then on', async () => {
    await restoreAt(Date.now() - 60_000);
    const { email, invitationId } = await invite();
    expect((await mailTo(email)).subject).toBe('Ada Admin invited you to Northwind');
    expect(await outcomeOf(invitationId)).toBe('sent');
  });
});
