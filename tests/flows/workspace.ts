import type { Role } from '@atrium/proto-events/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { noteSeen } from '../spec-coverage/coverage-records.ts';

export const PASSWORD = 'Working#Day1';

export type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T };

/** Somebody signed in, speaking to the gateway. */
export type Client = {
  id: string;
  /** First and last name. */
  name: string;
  email: string;
  token: string;
  refreshToken: string;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
};

type Session = {
  accessToken: string;
  refreshToken: string;
  user: { _id: string; email: string; firstName: string; lastName: string };
};

/** Any request, its answer read whole. */
export async function send<T = Record<string, unknown>>(url: string, init: RequestInit): Promise<Answer<T>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? JSON.parse(text) : text;
  if (response.status >= 400 && isJson) {
    const at = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
    noteSeen([body.message].flat().map((message) => ({ at, text: String(message) })));
  }
  return { status: response.status, headers: response.headers, body: body as T };
}

const json = (method: string, body: unknown, token?: string): RequestInit => ({
  method,
  headers: {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

function clientOf(baseUrl: string, session: Session): Client {
  return {
    id: session.user._id,
    name: `${session.user.firstName} ${session.user.lastName}`,
    email: session.user.email,
    token: session.accessToken,
    refreshToken: session.refreshToken,
    call: (method, path, body) => send(`${baseUrl}/api${path}`, json(method, body, session.accessToken)),
  };
}

/** The body of an answer that must have that status. */
export async function demand<T>(answer: Promise<Answer<T>>, status: number): Promise<T> {
  const { status: given, body } = await answer;
  if (given !== status) throw new Error(`answered ${given}: ${JSON.stringify(body)}`);
  return body;
}

/** Makes the first administrator of an empty workspace. */
export async function setUp(baseUrl: string): Promise<Client> {
  const body = { email: 'maya@example.org', password: PASSWORD, firstName: 'Maya', lastName: 'Okafor' };
  return clientOf(baseUrl, await demand(send<Session>(`${baseUrl}/api/auth/register`, json('POST', body)), 201));
}

/** The first administrator: made now, or signed in where the workspace has one. */
export async function administrator(baseUrl: string): Promise<Client> {
  const { body } = await send<{ setupRequired: boolean }>(`${baseUrl}/api/auth/setup`, {});
  return body.setupRequired ? setUp(baseUrl) : clientOf(baseUrl, await signIn(baseUrl, 'maya@example.org', PASSWORD));
}

/** Invites somebody, who accepts. */
export async function join(
  baseUrl: string,
  admin: Client,
  given: { first: string; last?: string; role: Role; password?: string },
): Promise<Client> {
  const email = `${[given.first, given.last].filter(Boolean).join('.').toLowerCase().replaceAll(' ', '')}@example.org`;
  const invitation = await demand(
    admin.call<{ inviteUrl: string }>('POST', '/auth/invite', {
      email,
      firstName: given.first,
      lastName: given.last ?? 'Example',
      role: given.role,
    }),
    201,
  );
  const token = new URL(invitation.inviteUrl).searchParams.get('token');
  const body = { token, password: given.password ?? PASSWORD };
  return clientOf(baseUrl, await demand(send<Session>(`${baseUrl}/api/auth/accept-invite`, json('POST', body)), 201));
}

/** Signs in anew; answers the tokens. */
export function signIn(baseUrl: string, email: string, password: string): Promise<Session> {
  return demand(send<Session>(`${baseUrl}/api/auth/login`, json('POST', { email, password })), 200);
}

/** Somebody who has an account already. */
export const signedIn = async (baseUrl: string, email: string, password: string): Promise<Client> =>
  clientOf(baseUrl, await signIn(baseUrl, email, password));

/** Creates a project and waits for its conversation. */
export async function aProjectWithConversation(
  admin: Client,
  manager: Client,
  name: string,
): Promise<{ project: string; conversation: string }> {
  const body = {
    name,
    description: name,
    projectManager: manager.id,
    teamMembers: [admin.id],
    priority: 'high',
    status: 'in-progress',
  };
  const { _id } = await demand(admin.call<{ _id: string }>('POST', '/projects', body), 201);
  const conversation = await conversationOf(manager, name);
  return { project: _id, conversation };
}

/** Waits until somebody has the conversation of that title. */
export async function conversationOf(client: Client, title: string, timeoutMs = 60_000): Promise<string> {
  return waitFor(
    async () => {
      const { body } = await client.call<{ data: { _id: string; title: string | null }[] }>(
        'GET',
        '/chat/conversations?limit=100',
      );
      return body.data.find((conversation) => conversation.title === title)?._id;
    },
    { what: `the conversation ${title}`, timeoutMs, everyMs: 150 },
  );
}

/** Uploads a small text file; answers what the server says. */
export function upload(baseUrl: string, client: Client, name: string): Promise<Answer<{ _id: string }>> {
  return send(`${baseUrl}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: uploadForm(name),
  });
}

/** The form that uploads a small text file. */
export function uploadForm(name: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  // What describes a file goes before it, because the file is not kept in memory until the rest is known.
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([`the text of ${name}\n`], { type: 'text/plain' }), name);
  return form;
}

/** The form that sends a message with a small text file. */
export function fileForm(name: string, fields: Record<string, string>): FormData {
  const form = uploadForm(name, fields);
  const file = form.get('file') as File;
  form.delete('file');
  form.set('attachments', file, name);
  return form;
}

/** Waits until the health of the whole is so. */
export async function untilHealth(baseUrl: string, status: 'ok' | 'degraded'): Promise<void> {
  await waitFor(async () => (await send<{ status: string }>(`${baseUrl}/api/health`, {})).body.status === status, {
    what: `/api/health to say ${status}`,
    timeoutMs: 60_000,
    // These calls have no token, and an address without one has 300 a minute.
    everyMs: 500,
  });
}
