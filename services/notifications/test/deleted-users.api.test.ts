import { passwordChanged } from '@atrium/proto-events/events/auth';
import { userDeleted, userUpdated } from '@atrium/proto-events/events/users';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { buildUniqueUser, type TestUsers } from './factories.ts';
import { createMailServer } from './mail-server.ts';
import { startWithStore } from './start-with-store.ts';

/** Addresses whose emails the server accepts only when the promise resolves. */
const held = new Map<string, Promise<undefined>>();
const server = createMailServer({ atEndOfData: (address) => held.get(address) });

let service: TestService;
let users: TestUsers;
let store: Connection;

beforeAll(async () => {
  const port = await freePort();
  await server.start(port);
  ({ service, users, store } = await startWithStore({ SMTP_URL: `smtp://127.0.0.1:${port}` }));
});
afterAll(async () => {
  await service?.close();
  await server.stop();
});

const emails = () => store.collection<{ _id: string }>('mails');
const findEmails = ({ _id }: DirectoryUser) => emails().find({ recipientId: _id }).toArray();
const waitForEmails = (user: DirectoryUser, filter: object = {}) =>
  waitFor(() => emails().findOne({ recipientId: user._id, ...filter }), { description: 'an email' });
const waitForRemoval = (user: DirectoryUser) =>
  waitFor(async () => (await findEmails(user)).length === 0, { description: 'the removal of the emails' });

function createUser(overrides: Partial<DirectoryUser> = {}): DirectoryUser {
  const user = buildUniqueUser(overrides);
  service.addToDirectory(user);
  return user;
}

const changePassword = ({ _id: userId }: DirectoryUser) =>
  service.deliver(passwordChanged, { userId, by: 'change', device: null, address: '203.0.113.10' });

const markDeleted = (user: DirectoryUser) =>
  service.addToDirectory({ ...user, firstName: 'Deleted', lastName: 'user', email: '', deleted: true, version: 9 });

const handleDeletion = ({ _id: userId }: DirectoryUser) =>
  service.deliver(userDeleted, { userId, version: 9 }, 2, users.admin._id);

/** Changes the password while the mail server holds the email. */
async function sendHeldEmail(user: DirectoryUser) {
  const accepted = Promise.withResolvers<undefined>();
  held.set(user.email, accepted.promise);
  await changePassword(user);
  await waitFor(() => server.to(user.email).length === 1, { description: 'the email to arrive' });
  return { accept: () => accepted.resolve(undefined) };
}

it('an update that began before the deletion does not bring an email back', async () => {
  const user = createUser();
  await changePassword(user);
  const email = await waitForEmails(user, { state: 'sent', report: 'done' });
  markDeleted(user);
  await handleDeletion(user);
  // As stores without atomic updates write it.
  await emails().replaceOne({ _id: email._id }, email);
  expect(await findEmails(user)).toEqual([]);
});

it('an email that is being sent while its recipient is deleted leaves no record', async () => {
  const user = createUser();
  const { accept } = await sendHeldEmail(user);
  markDeleted(user);
  await handleDeletion(user);
  expect(await findEmails(user)).toEqual([]);
  accept();
  // Emails to one address are sent sequentially.
  const other = createUser({ email: user.email });
  await changePassword(other);
  await waitForEmails(other, { state: 'sent' });
  expect(await findEmails(user)).toEqual([]);
});

it('an email that is queued after the deletion was handled leaves no record', async () => {
  const user = createUser();
  await handleDeletion(user);
  const { accept } = await sendHeldEmail(user);
  expect(await findEmails(user)).toHaveLength(1);
  markDeleted(user);
  accept();
  await waitForRemoval(user);
});

it('the other recipients of an email about a new administrator still receive it', async () => {
  const [promoted, deleted] = [createUser(), createUser({ role: 'admin' })];
  const waiting = await sendHeldEmail(deleted);
  const change = { userId: promoted._id, role: 'admin' as const, status: 'active' as const, version: 2 };
  await service.deliver(userUpdated, { ...change, changed: ['role'] }, 2, users.admin._id);
  const { mailingId } = (await waitForEmails(deleted, { about: promoted._id })) as unknown as { mailingId: string };
  markDeleted(deleted);
  await handleDeletion(deleted);
  expect(await store.collection<{ _id: string }>('mailings').countDocuments({ _id: mailingId })).toBe(1);
  waiting.accept();
});
