import { request } from 'node:http';
import type { System } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { io, type Socket } from 'socket.io-client';
import { findLink, waitForEmail } from '../../browser/mailbox.ts';
import { tokenIn } from '../../workspace/builders.ts';
import {
  type Client,
  createProjectWithConversation,
  createUser,
  expectStatus,
  PASSWORD,
  send,
  setUpWorkspace,
  signIn,
  upload,
} from '../../workspace/workspace.ts';
import { readExposition, type Series } from './metrics.ts';

/** The client address that the proxy of all users reports. */
const ADDRESS = '203.0.113.77';
const WRONG_PASSWORD = 'Not#Hers2much';

/** User input, which must not appear in logs and traces. */
export const USER_INPUT = {
  project: 'Zephyrine Plan',
  document: 'quarterly-xylophone.txt',
  message: 'Bring the marmalade on Thursday',
  socketMessage: 'And the gramophone',
  search: 'wombatsearch',
  meeting: 'Kaleidoscope review',
  unknownPath: 'velociraptor',
  errorText: 'petronella@example.org',
  unknownEmail: 'nobody.atall@example.org',
  invited: 'tatiana.brandywine@example.org',
};

export type SampleTraffic = {
  admin: Client;
  /** The id of a created project. */
  project: string;
  /** Messages received by a socket. */
  received: readonly unknown[];
  /** Personal data and secrets, which must not be logged. */
  personal: readonly string[];
  /** Sends a request through a proxy, by default without a token. */
  sendThroughProxy: typeof send;
};

/** Generates requests, events, emails, and errors as in typical use. */
export async function generateSampleTraffic(system: System): Promise<SampleTraffic> {
  const sendThroughProxy: typeof send = (path, init) =>
    send(`${system.url}/api${path}`, { ...init, headers: { 'x-forwarded-for': ADDRESS, ...init.headers } });
  const admin = await setUpWorkspace(system.url);
  const jonas = await createUser(system.url, admin, { first: 'Jonas', last: 'Quackenbush', role: 'project_manager' });
  const received: unknown[] = [];
  const live = await connect(system, '/live', jonas);
  live.on('changed', (change) => received.push(change));
  const { project, conversation } = await createProjectWithConversation(admin, jonas, USER_INPUT.project);
  await expectStatus(admin.call('POST', '/chat/messages', { conversation, content: USER_INPUT.message }), 201);
  const chat = await connect(system, '/chat', admin);
  await chat.emitWithAck('message:send', { conversation, content: USER_INPUT.socketMessage });
  await waitFor(() => received.length > 0, { description: 'the project event to arrive' });
  for (const socket of [chat, live]) socket.close();
  const signature = await uploadAndDownload(system, admin);
  const feedToken = await createMeetingFeed(system, { admin, jonas });
  await admin.call('GET', '/changes');
  for (const path of ['/users', '/projects']) await admin.call('GET', `${path}?search=${USER_INPUT.search}`);
  await admin.call('GET', `/users/${USER_INPUT.unknownPath}`);
  await sendThroughProxy(`/${USER_INPUT.unknownPath}?email=${jonas.email}`, {});
  const emailSecrets = await openEmailLinks(system, sendThroughProxy, { admin, jonas });
  const accessSecrets = await recoverAccess(system, sendThroughProxy, { admin, jonas });
  await abortRequest(system, admin);
  const personal = [
    ...Object.values(USER_INPUT),
    ...[admin, jonas].flatMap(({ email, name, token, refreshToken }) => [
      email,
      token,
      refreshToken,
      ...name.split(' '),
    ]),
    ...[ADDRESS, PASSWORD, WRONG_PASSWORD, signature],
    ...accessSecrets,
    feedToken,
    ...emailSecrets,
  ];
  return { admin, project, received, personal, sendThroughProxy };
}

async function connect({ url }: System, namespace: string, { token }: Client): Promise<Socket> {
  const socket = io(url + namespace, { auth: { token }, transports: ['websocket'], forceNew: true });
  await waitFor(() => socket.connected, { description: `the socket of ${namespace} to connect` });
  return socket;
}

/** Reads a calendar feed before and after it is revoked, and returns its token. */
async function createMeetingFeed({ url }: System, { admin, jonas }: { admin: Client; jonas: Client }): Promise<string> {
  const at = (minutes: number) => new Date(Date.now() + 86_400_000 + minutes * 60_000).toISOString();
  const times = { startTime: at(0), endTime: at(30) };
  const meetingLink = 'https://meet.example.org/harbor';
  const body = { title: USER_INPUT.meeting, type: 'team-meeting', meetingLink, participants: [jonas.id], ...times };
  await expectStatus(admin.call('POST', '/meetings', body), 201);
  const { token } = await expectStatus(jonas.call<{ token: string }>('POST', '/meetings/feed'), 201);
  const read = () => send(`${url}/api/meetings/feed/${token}.ics`, {});
  await expectStatus(read(), 200);
  await expectStatus(jonas.call('DELETE', '/meetings/feed'), 204);
  await expectStatus(read(), 404);
  return token;
}

/**
 * Uploads and downloads a file, and tries to upload one while the object store is down. Returns the signature of the
 * download link.
 */
async function uploadAndDownload(system: System, admin: Client): Promise<string> {
  const { _id } = await expectStatus(upload(system.url, admin, USER_INPUT.document), 201);
  const { downloadUrl } = await expectStatus(admin.call<{ downloadUrl: string }>('GET', `/documents/${_id}`), 200);
  await expectStatus(send(downloadUrl, {}), 200);
  await system.stopBacking('objects');
  try {
    await expectStatus(upload(system.url, admin, USER_INPUT.document), 503);
  } finally {
    await system.startBacking('objects');
  }
  return new URL(downloadUrl).searchParams.get('X-Amz-Signature') ?? '';
}

/**
 * Opens emailed links, reports an error of a browser, and submits a password that is too short. Returns the tokens of
 * the links and the name of the invited user.
 */
async function openEmailLinks(
  system: System,
  sendThroughProxy: typeof send,
  { admin, jonas }: { admin: Client; jonas: Client },
) {
  const { url, mailboxUrl = '' } = system;
  // This invitation is never accepted, because the email of an accepted invitation may not be sent.
  const invitee = { email: USER_INPUT.invited, firstName: 'Tatiana', lastName: 'Brandywine', role: 'member' };
  await expectStatus(admin.call('POST', '/auth/invite', invitee), 201);
  await sendThroughProxy('/auth/forgot-password', json({ email: jonas.email }));
  const invitation = findLink(await waitForEmail(mailboxUrl, invitee.email, /invited you/), '/accept-invite');
  const reset = findLink(await waitForEmail(mailboxUrl, jonas.email, /Reset your .* password/), '/reset-password');
  for (const link of [invitation, reset]) await send(url + pathOf(link), {});
  await sendThroughProxy('/client-errors', json({ message: `cannot open ${invitation}`, path: pathOf(reset) }));
  const tokens = [invitation, reset].map(tokenIn);
  await sendThroughProxy('/auth/reset-password', json({ token: tokens[1], password: 'short' }));
  return [...tokens, invitee.firstName, invitee.lastName];
}

const pathOf = (link: string): string => new URL(link).pathname + new URL(link).search;

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Fails to sign in, requests a reset link, and refreshes a session. Returns the secrets that this involves. */
async function recoverAccess(
  { url }: System,
  sendThroughProxy: typeof send,
  { admin, jonas }: { admin: Client; jonas: Client },
): Promise<string[]> {
  const post = (path: string, body: unknown) => sendThroughProxy(path, json(body));
  for (const email of [jonas.email, USER_INPUT.unknownEmail])
    await post('/auth/login', { email, password: WRONG_PASSWORD });
  const link = await admin.call<{ resetUrl: string }>('POST', `/users/${jonas.id}/reset-link`);
  const token = tokenIn(link.body.resetUrl);
  await sendThroughProxy('/projects', { headers: { authorization: `Bearer ${admin.token}x` } });
  await jonas.call('GET', '/auth/invites');
  await post('/client-errors', {
    message: `cannot show ${USER_INPUT.errorText}`,
    path: `/users?search=${USER_INPUT.search}`,
  });
  const { accessToken, refreshToken } = await signIn(url, jonas.email, PASSWORD);
  await post('/auth/refresh', { refreshToken });
  return [token, accessToken, refreshToken];
}

/** Sends an incomplete request and disconnects. */
async function abortRequest(system: System, { token }: Client): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '100' };
  const req = request(`${system.url}/api/projects`, { method: 'POST', headers }).on('error', () => undefined);
  await new Promise((resolve) => req.write('{"name":', resolve));
  req.destroy();
  const isCounted = async () =>
    (await fetchSeries(system, 'gateway')).some(({ labels }) => labels.get('status') === 'aborted');
  await waitFor(isCounted, { description: 'the request to be counted as aborted' });
}

/** Fetches the metrics of a process. */
export async function fetchSeries(system: System, process: string): Promise<Series[]> {
  return readExposition((await send<string>(`${system.internalUrl(process)}/metrics`, {})).body);
}
