import { request } from 'node:http';
import type { System } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { io, type Socket } from 'socket.io-client';
import { linkIn, mailTo } from '../../browser/mailbox.ts';
import {
  aProjectWithConversation,
  type Client,
  demand,
  join,
  PASSWORD,
  send,
  setUp,
  signIn,
  upload,
} from '../workspace.ts';
import { readExposition, type Series } from './exposition.ts';

/** Where everybody is, as the proxy before the gateway tells it. */
const ADDRESS = '203.0.113.77';
const WRONG_PASSWORD = 'Not#Hers2much';

/** What people type, each where it could slip into a log. */
export const TYPED = {
  project: 'Zephyrine Plan',
  document: 'quarterly-xylophone.txt',
  message: 'Bring the marmalade on Thursday',
  socketMessage: 'And the gramophone',
  search: 'wombatsearch',
  meeting: 'Kaleidoscope review',
  unknownPath: 'velociraptor',
  fault: 'petronella@example.org',
  nobody: 'nobody.atall@example.org',
  invited: 'tatiana.brandywine@example.org',
};

export type Hour = {
  admin: Client;
  /** The project that was made. */
  project: string;
  /** What a socket heard. */
  heard: readonly unknown[];
  /** All that must not be found where it is not needed. */
  personal: readonly string[];
  /** A call by nobody, from behind a proxy. */
  ask: typeof send;
};

/** An hour of an office in a moment, with what goes wrong in one. */
export async function spendHour(system: System): Promise<Hour> {
  const ask: typeof send = (path, init) =>
    send(`${system.url}/api${path}`, { ...init, headers: { 'x-forwarded-for': ADDRESS, ...init.headers } });
  const admin = await setUp(system.url);
  const jonas = await join(system.url, admin, { first: 'Jonas', last: 'Quackenbush', role: 'project_manager' });
  const heard: unknown[] = [];
  const live = await connect(system, '/live', jonas);
  live.on('changed', (given) => heard.push(given));
  const { project, conversation } = await aProjectWithConversation(admin, jonas, TYPED.project);
  await demand(admin.call('POST', '/chat/messages', { conversation, content: TYPED.message }), 201);
  const chat = await connect(system, '/chat', admin);
  await chat.emitWithAck('message:send', { conversation, content: TYPED.socketMessage });
  await waitFor(() => heard.length > 0, { what: 'the project to be told' });
  for (const socket of [chat, live]) socket.close();
  const signature = await passFiles(system, admin);
  const feed = await meet(system, { admin, jonas });
  for (const path of ['/users', '/projects']) await admin.call('GET', `${path}?search=${TYPED.search}`);
  await admin.call('GET', `/users/${TYPED.unknownPath}`);
  await ask(`/${TYPED.unknownPath}?email=${jonas.email}`, {});
  const mailed = await followMails(system, ask, { admin, jonas });
  const secrets = await comeBack(system, ask, { admin, jonas });
  await leaveEarly(system, admin);
  const personal = [
    ...Object.values(TYPED),
    ...[admin, jonas].flatMap(({ email, name, token, refreshToken }) => [
      email,
      token,
      refreshToken,
      ...name.split(' '),
    ]),
    ...[ADDRESS, PASSWORD, WRONG_PASSWORD, signature],
    ...secrets,
    feed,
    ...mailed,
  ];
  return { admin, project, heard, personal, ask };
}

async function connect({ url }: System, namespace: string, { token }: Client): Promise<Socket> {
  const socket = io(url + namespace, { auth: { token }, transports: ['websocket'], forceNew: true });
  await waitFor(() => socket.connected, { what: `a socket of ${namespace}` });
  return socket;
}

/** A meeting that a calendar program asks for, also when it may no more; answers what it asks with. */
async function meet({ url }: System, { admin, jonas }: { admin: Client; jonas: Client }): Promise<string> {
  const at = (minutes: number) => new Date(Date.now() + 86_400_000 + minutes * 60_000).toISOString();
  const times = { startTime: at(0), endTime: at(30) };
  const meetingLink = 'https://meet.example.org/harbour';
  const body = { title: TYPED.meeting, type: 'team-meeting', meetingLink, participants: [jonas.id], ...times };
  await demand(admin.call('POST', '/meetings', body), 201);
  const { token } = await demand(jonas.call<{ token: string }>('POST', '/meetings/feed'), 201);
  const read = () => send(`${url}/api/meetings/feed/${token}.ics`, {});
  await demand(read(), 200);
  await demand(jonas.call('DELETE', '/meetings/feed'), 204);
  await demand(read(), 404);
  return token;
}

/** A file comes, is fetched, and cannot come while the store is away; answers what lets anybody fetch it who has its link. */
async function passFiles(system: System, admin: Client): Promise<string> {
  const { _id } = await demand(upload(system.url, admin, TYPED.document), 201);
  const { downloadUrl } = await demand(admin.call<{ downloadUrl: string }>('GET', `/documents/${_id}`), 200);
  await demand(send(downloadUrl, {}), 200);
  await system.stopBacking('objects');
  try {
    await demand(upload(system.url, admin, TYPED.document), 503);
  } finally {
    await system.startBacking('objects');
  }
  return new URL(downloadUrl).searchParams.get('X-Amz-Signature') ?? '';
}

/** Opens links that were mailed, which goes wrong in the browser, and asks for too short a password by one; answers what lets in whoever has them. */
async function followMails(system: System, ask: typeof send, { admin, jonas }: { admin: Client; jonas: Client }) {
  const { url, mailboxUrl = '' } = system;
  // Somebody who does not come: the mail of an invitation that has been accepted meanwhile is not sent.
  const invitee = { email: TYPED.invited, firstName: 'Tatiana', lastName: 'Brandywine', role: 'member' };
  await demand(admin.call('POST', '/auth/invite', invitee), 201);
  await ask('/auth/forgot-password', json({ email: jonas.email }));
  const invitation = linkIn(await mailTo(mailboxUrl, invitee.email, /invited you/), '/accept-invite');
  const reset = linkIn(await mailTo(mailboxUrl, jonas.email, /new password/), '/reset-password');
  for (const link of [invitation, reset]) await send(url + pathOf(link), {});
  await ask('/client-errors', json({ message: `cannot open ${invitation}`, path: pathOf(reset) }));
  const tokens = [invitation, reset].map((link) => new URL(link).searchParams.get('token') ?? '');
  await ask('/auth/reset-password', json({ token: tokens[1], password: 'short' }));
  return [...tokens, invitee.firstName, invitee.lastName];
}

const pathOf = (link: string): string => new URL(link).pathname + new URL(link).search;

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Ways in which people lose what lets them in, and get it back; answers what must stay a secret. */
async function comeBack(
  { url }: System,
  ask: typeof send,
  { admin, jonas }: { admin: Client; jonas: Client },
): Promise<string[]> {
  const post = (path: string, body: unknown) => ask(path, json(body));
  for (const email of [jonas.email, TYPED.nobody]) await post('/auth/login', { email, password: WRONG_PASSWORD });
  const link = await admin.call<{ resetUrl: string }>('POST', `/users/${jonas.id}/reset-link`);
  const token = new URL(link.body.resetUrl).searchParams.get('token') ?? '';
  await ask('/projects', { headers: { authorization: `Bearer ${admin.token}x` } });
  await jonas.call('GET', '/auth/invites');
  await post('/client-errors', { message: `cannot show ${TYPED.fault}`, path: `/users?search=${TYPED.search}` });
  const { accessToken, refreshToken } = await signIn(url, jonas.email, PASSWORD);
  await post('/auth/refresh', { refreshToken });
  return [token, accessToken, refreshToken];
}

/** Asks for something and goes away before it has been answered. */
async function leaveEarly(system: System, { token }: Client): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '100' };
  const asked = request(`${system.url}/api/projects`, { method: 'POST', headers }).on('error', () => undefined);
  await new Promise((resolve) => asked.write('{"name":', resolve));
  asked.destroy();
  const isCounted = async () =>
    (await seriesOf(system, 'gateway')).some(({ labels }) => labels.get('status') === 'aborted');
  await waitFor(isCounted, { what: 'the request to be counted as aborted' });
}

/** What a process exports. */
export async function seriesOf(system: System, process: string): Promise<Series[]> {
  return readExposition((await send<string>(`${system.internalUrl(process)}/metrics`, {})).body);
}
