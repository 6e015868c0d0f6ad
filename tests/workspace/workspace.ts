import type { Role } from '@atrium/proto-events/people';
import { retryWhileBusy } from '@atrium/test-kit/retry-while-busy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { recordSeen } from '@atrium/tools/spec-coverage/seen-texts';
import { buildProject, tokenIn, uploadForm } from './builders.ts';

export const PASSWORD = 'Working#Day1';

export type ApiResponse<T = Record<string, unknown>> = { status: number; headers: Headers; body: T };

/** A signed-in user who sends requests to the gateway. */
export type Client = {
  id: string;
  /** The first and last name. */
  name: string;
  email: string;
  token: string;
  refreshToken: string;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<ApiResponse<T>>;
};

type Session = {
  accessToken: string;
  refreshToken: string;
  user: { _id: string; email: string; firstName: string; lastName: string };
};

/** Sends a request and reads the whole response. */
export async function send<T = Record<string, unknown>>(url: string, init: RequestInit): Promise<ApiResponse<T>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? JSON.parse(text) : text;
  if (response.status >= 400 && isJson) {
    const call = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
    recordSeen([body.message].flat().map((message) => ({ at: call, text: String(message) })));
  }
  return { status: response.status, headers: response.headers, body: body as T };
}

const buildRequest = (method: string, body: unknown, token?: string): RequestInit => ({
  method,
  headers: {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

function toClient(baseUrl: string, session: Session): Client {
  return {
    id: session.user._id,
    name: `${session.user.firstName} ${session.user.lastName}`,
    email: session.user.email,
    token: session.accessToken,
    refreshToken: session.refreshToken,
    call: (method, path, body) =>
      retryWhileBusy(() => send(`${baseUrl}/api${path}`, buildRequest(method, body, session.accessToken))),
  };
}

/** Returns the body of a response. Throws if the status is not the expected one. */
export async function expectStatus<T>(response: Promise<ApiResponse<T>>, expected: number): Promise<T> {
  const { status, body } = await response;
  if (status !== expected) throw new Error(`Expected status ${expected}, got ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Creates a resource and returns its id. */
export const createResource = async (client: Client, path: string, body?: unknown): Promise<string> =>
  (await expectStatus(client.call<{ _id: string }>('POST', path, body), 201))._id;

/** Creates the first administrator of an empty workspace. */
export async function setUpWorkspace(baseUrl: string): Promise<Client> {
  const body = { email: 'maya@example.org', password: PASSWORD, firstName: 'Maya', lastName: 'Okafor' };
  return toClient(
    baseUrl,
    await expectStatus(send<Session>(`${baseUrl}/api/auth/register`, buildRequest('POST', body)), 201),
  );
}

/** Returns the first administrator: creates the account in an empty workspace, and signs in otherwise. */
export async function getFirstAdministrator(baseUrl: string): Promise<Client> {
  const { body } = await send<{ setupRequired: boolean }>(`${baseUrl}/api/auth/setup`, {});
  return body.setupRequired
    ? setUpWorkspace(baseUrl)
    : toClient(baseUrl, await signIn(baseUrl, 'maya@example.org', PASSWORD));
}

/** Creates a user by an invitation that is accepted at once. */
export async function createUser(
  baseUrl: string,
  admin: Client,
  user: { first: string; last?: string; role: Role; password?: string },
): Promise<Client> {
  const email = `${[user.first, user.last].filter(Boolean).join('.').toLowerCase().replaceAll(' ', '')}@example.org`;
  const invitation = await expectStatus(
    admin.call<{ inviteUrl: string }>('POST', '/auth/invite', {
      email,
      firstName: user.first,
      lastName: user.last ?? 'Example',
      role: user.role,
    }),
    201,
  );
  const body = { token: tokenIn(invitation.inviteUrl), password: user.password ?? PASSWORD };
  return toClient(
    baseUrl,
    await expectStatus(send<Session>(`${baseUrl}/api/auth/accept-invite`, buildRequest('POST', body)), 201),
  );
}

/** Signs in and returns the session with its tokens. */
export function signIn(baseUrl: string, email: string, password: string): Promise<Session> {
  return expectStatus(send<Session>(`${baseUrl}/api/auth/login`, buildRequest('POST', { email, password })), 200);
}

/** Signs in and returns a client for the account. */
export const signInClient = async (baseUrl: string, email: string, password: string): Promise<Client> =>
  toClient(baseUrl, await signIn(baseUrl, email, password));

/** Creates a project and waits for its conversation. */
export async function createProjectWithConversation(
  admin: Client,
  manager: Client,
  name: string,
): Promise<{ project: string; conversation: string }> {
  const body = buildProject(name, manager, { teamMembers: [admin.id], priority: 'high' });
  const project = await createResource(admin, '/projects', body);
  return { project, conversation: await waitForConversation(manager, name) };
}

/** Waits until the user has a conversation with the title, and returns its id. */
export async function waitForConversation(client: Client, title: string, timeoutMs = 60_000): Promise<string> {
  return waitFor(
    async () => {
      const { body } = await client.call<{ data: { _id: string; title: string | null }[] }>(
        'GET',
        '/chat/conversations?limit=100',
      );
      return body.data.find((conversation) => conversation.title === title)?._id;
    },
    { description: `the conversation ${title} to exist`, timeoutMs, intervalMs: 150 },
  );
}

/** Uploads a small text file. */
export function upload(baseUrl: string, client: Client, name: string): Promise<ApiResponse<{ _id: string }>> {
  return send(`${baseUrl}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: uploadForm(name),
  });
}

/** Waits for a status of `/api/health`. */
export async function waitForHealth(baseUrl: string, status: 'ok' | 'degraded'): Promise<void> {
  await waitFor(async () => (await send<{ status: string }>(`${baseUrl}/api/health`, {})).body.status === status, {
    description: `/api/health to report ${status}`,
    // Requests without a token are limited to 300 per minute and IP address.
    intervalMs: 500,
  });
}
