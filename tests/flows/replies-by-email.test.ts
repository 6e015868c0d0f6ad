import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from '@atrium/dev-server/system/settings';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Comment } from '@atrium/proto-events/http/tasks';
import type { LiveServerEvents } from '@atrium/proto-events/realtime';
import { mentionOf } from '@atrium/proto-events/text/mentions';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { type MailServer, startMailServer } from '@atrium/test-kit/mail-devel';
import { makeDigestsDue } from '@atrium/test-kit/make-digests-due';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { io } from 'socket.io-client';
import { waitForEmail } from '../browser/mailbox.ts';
import { connect } from '../live/marker.ts';
import { buildProject, HIGH_LIMITS } from '../workspace/builders.ts';
import { type Client, createResource, createUser, expectStatus, setUpWorkspace } from '../workspace/workspace.ts';

const VIETNAMESE = 'Kế hoạch ổn rồi, mình sẽ vẽ xong trước thứ Sáu.\n\nCảm ơn Maya!';
const HEBREW = 'נראה טוב, נתראה ביום חמישי.';
const UNAVAILABLE = 'The conversation was deleted, or you are no longer in it';

type Users = Record<'maya' | 'lena' | 'otto' | 'nora', Client>;
/** Where a user replies to, and the sender of the email that they reply to. */
type ReplyPath = { address: string; sender: string };
type Place = { id: string; paths: ReadonlyMap<Client, ReplyPath> };

let mailServer: MailServer | undefined;
let crashPoints: string;
let system: System;
let mongo: MongoClient;
let users: Users;
let project: string;
let group: string;
let task: Place;
let message: Place;

beforeAll(async () => {
  mailServer = await startMailServer();
  // Skipped if the environment has no mail server.
  if (!mailServer) return;
  crashPoints = await mkdtemp(join(tmpdir(), 'atrium-replies-'));
  system = await startSystem({
    env: {
      ...HIGH_LIMITS,
      REPLIES_ADDRESS: 'replies@example.org',
      REPLIES_IMAP_URL: mailServer.imapUrl,
      REPLIES_POLL_INTERVAL_SECONDS: '0.3',
      CRASH_POINTS_DIR: crashPoints,
    },
    expectedErrors: [/was ended by SIGKILL/],
  });
  mongo = new MongoClient(getAddress(system.backing, 'mongo').url);
  await setUp();
});
afterAll(async () => {
  await mongo?.close();
  await system?.stop();
  await mailServer?.close();
  if (crashPoints) await rm(crashPoints, { recursive: true });
});

async function setUp(): Promise<void> {
  const maya = await setUpWorkspace(system.url);
  const create = (first: string) => createUser(system.url, maya, { first, role: 'member' });
  const [lena, otto, nora] = await Promise.all([create('Lena'), create('Otto'), create('Nora')]);
  users = { maya, lena, otto, nora };
  const members = [lena.id, otto.id, nora.id];
  project = await createResource(maya, '/projects', buildProject('Customer portal', maya, { teamMembers: members }));
  const body = { type: 'group', title: 'launch', participants: members };
  group = await createResource(maya, '/chat/conversations', body);
  task = await mentionInComment('Draw the plan', [lena, otto, nora]);
  message = await mentionInGroup([lena, otto]);
}

async function readReplyPath(user: Client, subject: RegExp): Promise<ReplyPath> {
  const { mailboxUrl = '' } = system;
  const { id, text } = await waitForEmail(mailboxUrl, user.email, subject);
  expect(text).toContain('Reply to this email');
  const source = await (await fetch(`${mailboxUrl}/messages/${id}/source`)).text();
  const [address = ''] = /replies\+[a-z2-7]{46}@example\.org/.exec(source) ?? [];
  const [, sender = ''] = /^From: .*?([\w.+-]+@[\w.-]+)/m.exec(source) ?? [];
  return { address, sender };
}

async function readReplyPaths(mentioned: readonly Client[], subject: RegExp): Promise<Place['paths']> {
  return new Map(await Promise.all(mentioned.map(async (user) => [user, await readReplyPath(user, subject)] as const)));
}

const listMentions = (mentioned: readonly Client[]) => mentioned.map(({ id }) => mentionOf(id)).join(' ');

async function mentionInComment(title: string, mentioned: readonly Client[]): Promise<Place> {
  const id = await createResource(users.maya, '/tasks', { title, project });
  const comment = `${listMentions(mentioned)} what do you think?`;
  await expectStatus(users.maya.call('POST', `/tasks/${id}/comments`, { comment }), 201);
  return { id, paths: await readReplyPaths(mentioned, new RegExp(title)) };
}

async function mentionInGroup(mentioned: readonly Client[]): Promise<Place> {
  const content = `${listMentions(mentioned)} which day?`;
  const id = await createResource(users.maya, '/chat/messages', { conversation: group, content });
  const store = mongo.db('atrium');
  for (const user of mentioned) {
    const isScheduled = async () => {
      const unsent = { personId: user.id, messageId: id, digestAt: { $exists: true } };
      const [notificationCount, digestCount] = await Promise.all([
        store.collection('notifications').countDocuments(unsent),
        store.collection('digests').countDocuments({ userId: user.id }),
      ]);
      return notificationCount > 0 && digestCount > 0;
    };
    await waitFor(isScheduled, { description: `the email to ${user.name} to be scheduled` });
    await makeDigestsDue(store, [user.id]);
  }
  return { id, paths: await readReplyPaths(mentioned, /launch/) };
}

/** Sends what a mail program does, to the mailbox for replies. */
async function reply(place: Place, user: Client, written: string, options: SendMailOptions = {}): Promise<void> {
  const { address, sender } = place.paths.get(user) ?? { address: '', sender: '' };
  const introduction = `Vào Th 2, 30 thg 11, 2026 vào lúc 17:34 Atrium <${sender}> đã viết:`;
  const signature = `${user.name}\nNorthwind`;
  const transport = createTransport(mailServer?.smtpUrl);
  await transport.sendMail({
    from: 'stranger@example.com',
    to: address,
    subject: 'Re: Draw the plan',
    text: `${written}\n\n-- \n${signature}\n\n${introduction}\n\n> What do you think?\n> ${sender}`,
    html: `<p>${written}</p><div>-- <br>${signature}</div><blockquote>What do you think?</blockquote>`,
    ...options,
  });
  transport.close();
}

/** Author and text, oldest first. */
type Posted = [userId: string, text: string][];

async function listComments(id: string): Promise<Posted> {
  const { status, body } = await users.maya.call<{ data: Comment[] }>('GET', `/tasks/${id}/comments?limit=50`);
  return status === 200 ? body.data.map(({ author, comment }): Posted[number] => [author._id, comment]).reverse() : [];
}

async function listReplies(root: string): Promise<Posted> {
  const { status, body } = await users.maya.call<{ data: Message[] }>('GET', `/chat/messages/${root}/thread`);
  return status === 200 ? body.data.map(({ sender, content }): Posted[number] => [sender._id, content]) : [];
}

const waitForText = (list: () => Promise<Posted>, expected: string) =>
  waitFor(async () => (await list()).some(([, text]) => text === expected), {
    description: `${expected} to be posted`,
  });

/** Replies about one item are handled in order, so earlier copies are handled before the last reply. */
async function sendTwice(place: Place, user: Client, written: string, list: () => Promise<Posted>): Promise<void> {
  const messageId = `<${place.id}.${written.length}@example.com>`;
  for (let copy = 0; copy < 2; copy += 1) await reply(place, user, written, { messageId });
  await reply(place, user, 'The last one');
  await waitForText(list, 'The last one');
}

const waitForProblem = (user: Client, reason: string) =>
  waitForEmail(system.mailboxUrl ?? '', user.email, /^Your reply was not posted$/, reason);

describe('a reply by email', () => {
  it('to a mention in a comment is posted once as a comment, live', async () => {
    if (!mailServer) return;
    const { maya, lena } = users;
    const socket = await connect(system.url, maya, [`task:${task.id}`]);
    const changed = new Promise<void>((resolve) => {
      const onChanged: LiveServerEvents['changed'] = ({ changes }) => {
        if (changes.some(({ id }) => id === task.id)) resolve();
      };
      socket.on('changed', onChanged);
    });
    await sendTwice(task, lena, VIETNAMESE, () => listComments(task.id));
    await changed;
    socket.disconnect();
    expect((await listComments(task.id)).slice(1)).toEqual([
      [lena.id, VIETNAMESE],
      [lena.id, 'The last one'],
    ]);
  });

  it('to a mention in a conversation is posted once in the thread of that message, live', async () => {
    if (!mailServer) return;
    const { maya, lena } = users;
    const options = { auth: { token: maya.token }, transports: ['websocket'], forceNew: true };
    const socket = io(`${system.url}/chat`, options);
    await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
    const received = new Promise<Message>((resolve) => {
      socket.once('thread:message', (payload: { message: Message }) => resolve(payload.message));
    });
    await sendTwice(message, lena, HEBREW, () => listReplies(message.id));
    expect(await received).toMatchObject({ content: HEBREW, sender: { _id: lena.id } });
    socket.disconnect();
    expect(await listReplies(message.id)).toEqual([
      [lena.id, HEBREW],
      [lena.id, 'The last one'],
    ]);
  });

  it('of a user who lost access is answered with the reason that the app shows', async () => {
    if (!mailServer) return;
    const { maya, otto } = users;
    await expectStatus(maya.call('DELETE', `/projects/${project}/team-members/${otto.id}`), 204);
    await expectStatus(maya.call('DELETE', `/chat/conversations/${group}/participants/${otto.id}`), 204);
    await reply(task, otto, 'A comment');
    await reply(message, otto, 'A message');
    const attempt = { comment: 'A comment' };
    const denial = await expectStatus(
      otto.call<{ message: string }>('POST', `/tasks/${task.id}/comments`, attempt),
      403,
    );
    await waitForProblem(otto, denial.message);
    await waitForProblem(otto, UNAVAILABLE);
    expect((await listComments(task.id)).some(([userId]) => userId === otto.id)).toBe(false);
    expect((await listReplies(message.id)).some(([userId]) => userId === otto.id)).toBe(false);
  });

  it('to a deleted message or task, or without text, is answered with the reason', async () => {
    if (!mailServer) return;
    const { maya, nora } = users;
    const deletedMessage = await mentionInGroup([nora]);
    await expectStatus(maya.call('DELETE', `/chat/messages/${deletedMessage.id}`), 204);
    await reply(deletedMessage, nora, 'A message');
    const deletedTask = await mentionInComment('Order the chairs', [nora]);
    await expectStatus(maya.call('DELETE', `/tasks/${deletedTask.id}`), 204);
    await reply(deletedTask, nora, 'A comment');
    await reply(task, nora, '');
    await waitForProblem(nora, 'No text was found above the quoted email.');
    await waitForProblem(nora, 'The task was deleted');
    await waitForProblem(nora, 'This message was deleted');
  });

  it('is posted once if notifications is killed between reading and publishing it, or before recording it', async () => {
    if (!mailServer) return;
    const { lena } = users;
    const list = () => listComments(task.id);
    const points = ['after-reading-before-publish', 'after-publish-before-note'] satisfies CrashPoint[];
    for (const point of points) {
      const armed = join(crashPoints, point);
      await writeFile(armed, '');
      await reply(task, lena, point);
      await waitForText(list, point);
      await waitFor(() => !existsSync(armed), { description: `notifications to be killed ${point}` });
    }
    await reply(task, lena, 'After the crash');
    await waitForText(list, 'After the crash');
    expect((await list()).slice(-3).map(([, text]) => text)).toEqual([...points, 'After the crash']);
  });
});
