import { invitationCreated } from '@atrium/proto-events/events/auth';
import { recipientsFound } from '@atrium/proto-events/events/chat';
import { emailsUnsubscribed } from '@atrium/proto-events/events/notifications';
import { taskCommented, taskCreated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connection, createConnection } from 'mongoose';
import { buildInvitation, buildUniqueUser, startNotifications, type TestUsers } from './factories.ts';
import { parseEmail, type ReceivedMail, waitForEmail } from './mailbox.ts';

let service: TestService;
let users: TestUsers;
let store: Connection;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
  store = await createConnection(service.env.MONGO_URL ?? '').asPromise();
});
afterAll(async () => {
  await store?.close();
  await service?.close();
});

type User = TestUsers[keyof TestUsers];

function createUser(): User {
  const user = buildUniqueUser();
  service.addToDirectory(user);
  return user;
}

async function readHeaders(email: ReceivedMail): Promise<Record<string, string>> {
  const { parsed } = await parseEmail(email);
  return Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
}

const buildTask = (assignee: User) => ({
  taskId: newId(),
  projectId: newId(),
  title: 'Draw the plan',
  status: 'todo',
  version: 1,
  assignedTo: assignee._id,
  dueDate: null,
});

type Sent = { conversationId?: string; rootId?: string; title?: string | null };

/** Notifies a user of a message, and lets the email about them be due now. */
async function sendMessage(user: User, { conversationId = newId(), title = null, ...place }: Sent = {}): Promise<void> {
  const kind = place.rootId === undefined ? ('direct_message' as const) : ('thread_reply' as const);
  const reason = place.rootId === undefined ? ('conversation' as const) : ('followed_thread' as const);
  const message = { messageId: newId(), seq: 1, cause: newId(), sentAt: new Date().toISOString() };
  const recipients = [{ userId: user._id, kind, reason, level: 'all' as const }];
  await service.deliver(
    recipientsFound,
    { ...message, conversationId, title, ...place, recipients },
    1,
    users.manager._id,
  );
  const at = new Date(Date.now() - 60_000);
  await store
    .collection('notifications')
    .updateMany({ personId: user._id }, { $set: { digestAt: at, 'notice.channels.email': 'immediate' } });
  const digest = await store.collection('digests').findOne({ userId: user._id });
  await store.collection('digests').updateOne({ _id: digest?._id as never }, { $set: { at } });
}

describe('one-click unsubscribe', () => {
  const getUnsubscribeUrl = async (user: User) =>
    (await readHeaders(await waitForEmail(user.email)))['list-unsubscribe']?.replace(/^<|>$/g, '') ?? '';
  const toPath = (url: string) => url.replace('https://atrium.example.org', '/notifications');
  const call = (url: string) => service.call('POST', toPath(url));
  const post = (url: string, body: string | FormData) =>
    fetch(`${service.url}/api${toPath(url)}`, {
      method: 'POST',
      body,
      ...(typeof body === 'string' && { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    });
  async function assignAndGetUrl(): Promise<{ user: User; url: string }> {
    const user = createUser();
    await service.deliver(taskCreated, buildTask(user), 1, users.manager._id);
    return { user, url: await getUnsubscribeUrl(user) };
  }
  const countUnsubscribes = (user: User) =>
    service.countPublished(emailsUnsubscribed, ({ userId }) => userId === user._id);

  it('turns off the kind of the email for its recipient, with the forms that mail programs send', async () => {
    const { user, url } = await assignAndGetUrl();
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const body of ['List-Unsubscribe=One-Click', form]) {
      const response = await post(url, body);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ kinds: ['task_assigned'] });
    }
    expect(await call(url)).toMatchObject({ status: 200, body: { kinds: ['task_assigned'] } });
    const { data } = await service.waitForEvent(emailsUnsubscribed, ({ userId }) => userId === user._id);
    expect(data).toEqual({ userId: user._id, kinds: ['task_assigned'] });
  });

  it('rejects links that were changed', async () => {
    const { user, url } = await assignAndGetUrl();
    const other = createUser();
    for (const changed of [
      url.replace('task_assigned', 'mention'),
      url.replace(user._id, other._id),
      url.replace(/.{8}$/, '00000000'),
    ])
      expect((await call(changed)).status).toBe(400);
    expect((await call(url.replace(/.$/, ''))).status).toBe(404);
    expect(countUnsubscribes(user) + countUnsubscribes(other)).toBe(0);
  });

  it('is announced in the header of emails that can be turned off only', async () => {
    const { user } = await assignAndGetUrl();
    const headers = await readHeaders(await waitForEmail(user.email));
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation);
    expect(await readHeaders(await waitForEmail(invitation.email))).not.toHaveProperty('list-unsubscribe');
  });
});

describe('emails about one item', () => {
  it('are grouped by mail programs: they have one subject, and are replies to one message', async () => {
    const user = createUser();
    const task = buildTask(user);
    await service.deliver(taskCreated, task, 1, users.manager._id);
    const comment = { commentId: newId(), createdBy: users.manager._id, commenterIds: [], excerpt: 'Looks good' };
    await service.deliver(taskCommented, { ...task, ...comment }, 1, users.admin._id);
    const emails = await Promise.all([1, 2].map((count) => waitForEmail(user.email, count)));
    const root = `<task.${task.taskId}@atrium.example.org>`;
    for (const email of emails) {
      expect(email.subject).toBe('Draw the plan');
      expect(await readHeaders(email)).toMatchObject({ references: root, 'in-reply-to': root });
    }
  });

  it('are grouped by conversation or thread, and say why they were sent', async () => {
    const [direct, follower] = [createUser(), createUser()];
    const [conversationId, rootId] = [newId(), newId()];
    await sendMessage(direct, { conversationId });
    await sendMessage(follower, { conversationId, rootId, title: 'design' });
    const email = await waitForEmail(direct.email);
    expect(email.subject).toBe('Direct messages from Paul Manager');
    expect(email.text).toContain('Paul Manager sent you a direct message');
    expect(email.text).toContain(`https://atrium.example.org/chat?c=${conversationId}&m=1`);
    expect(email.text).toContain('because you’re in the conversation');
    expect((await readHeaders(email)).references).toBe(`<conversation.${conversationId}@atrium.example.org>`);
    const reply = await waitForEmail(follower.email);
    expect(reply.subject).toBe('Thread in design');
    expect(reply.text).toContain('Unfollow the thread');
    expect((await readHeaders(reply)).references).toBe(`<thread.${rootId}@atrium.example.org>`);
  });
});
