import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject, tokenIn } from '../workspace/builders.ts';
import {
  type ApiResponse,
  type Client,
  createResource,
  createUser,
  expectStatus,
  PASSWORD,
  send,
  setUpWorkspace,
  signIn,
} from '../workspace/workspace.ts';

type Page = { data: { _id: string; name?: string; title?: string; email?: string }[]; total: number };
type Json = Record<string, unknown>;

let system: System;
let admin: Client;
let manager: Client;
let member: Client;
let project: string;

const post = (path: string, body: unknown): Promise<ApiResponse> =>
  send(`${system.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const projectBody = (name: string) => buildProject(name, manager, { teamMembers: [member.id] });

beforeAll(async () => {
  system = await startSystem();
  admin = await setUpWorkspace(system.url);
  manager = await createUser(system.url, admin, { first: 'Jonas', role: 'project_manager' });
  member = await createUser(system.url, admin, { first: 'Lena', role: 'member' });
  project = await createResource(admin, '/projects', projectBody('100% sure_fire\\plan'));
  await expectStatus(admin.call('POST', '/projects', projectBody('Something else')), 201);
  await expectStatus(admin.call('POST', '/tasks', { title: '50% of the under_score\\s', project }), 201);
  await expectStatus(admin.call('POST', '/tasks', { title: 'Another task', project }), 201);
  await expectStatus(admin.call('POST', '/departments', { name: 'R&D 5%_\\' }), 201);
});
afterAll(() => system?.stop());

describe('fields that clients cannot set', () => {
  it('are ignored in profile updates (role, status, email, id)', async () => {
    const body = { bio: 'Harmless', role: 'admin', status: 'inactive', email: 'admin@evil.example', _id: admin.id };
    const changed = await expectStatus(member.call('PATCH', '/users/profile', body), 200);
    const expected = { _id: member.id, bio: 'Harmless', role: 'member', status: 'active', email: member.email };
    expect(changed).toMatchObject(expected);
    expect(await expectStatus(member.call('GET', '/users/profile'), 200)).toMatchObject(expected);
  });

  it('are ignored in prototype pollution attempts', async () => {
    const headers = { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' };
    const body = '{"bio":"Again","__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}';
    const response = await send(`${system.url}/api/users/profile`, { method: 'PATCH', headers, body });
    expect(response).toMatchObject({ status: 200, body: { bio: 'Again', role: 'member' } });
    expect(await expectStatus(manager.call('GET', `/users/${member.id}`), 200)).toMatchObject({ role: 'member' });
  });

  it('are ignored when an invitation is accepted, because the invitation determines role and email', async () => {
    const invitation = { email: 'mass@example.org', firstName: 'Mass', lastName: 'Assign', role: 'member' };
    const { inviteUrl } = await expectStatus(
      admin.call<{ inviteUrl: string }>('POST', '/auth/invite', invitation),
      201,
    );
    const token = tokenIn(inviteUrl);
    const { status, body } = await post('/auth/accept-invite', {
      token,
      password: PASSWORD,
      role: 'admin',
      email: 'other@example.org',
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ user: expect.objectContaining({ role: 'member', email: 'mass@example.org' }) }),
    ]);
  });

  it('are ignored in new projects and tasks (creator, progress, id)', async () => {
    const forged = { _id: '0'.repeat(24), createdBy: member.id, progress: 90, version: 99 };
    const created = await expectStatus(admin.call('POST', '/projects', { ...projectBody('Forged'), ...forged }), 201);
    expect(created).toMatchObject({ createdBy: admin.id, progress: 0 });
    expect(created._id).not.toBe(forged._id);
    const task = await expectStatus(
      member.call('POST', '/tasks', { title: 'Forged', project, ...forged, createdBy: admin.id }),
      201,
    );
    expect(task).toMatchObject({ createdBy: { _id: member.id } });
    expect(task._id).not.toBe(forged._id);
  });
});

describe('the auth API', () => {
  it('lets users list and end only their own sessions', async () => {
    const adminSessions = await expectStatus(admin.call<Page>('GET', '/auth/sessions'), 200);
    const memberSessions = await expectStatus(member.call<Page>('GET', '/auth/sessions'), 200);
    const ids = new Set(memberSessions.data.map(({ _id }) => _id));
    expect(adminSessions.data.length).toBeGreaterThan(0);
    for (const { _id } of adminSessions.data) {
      expect(ids.has(_id)).toBe(false);
      expect((await member.call('DELETE', `/auth/sessions/${_id}`)).status).toBe(404);
    }
    expect((await admin.call('GET', '/users/profile')).status).toBe(200);
  });

  it('accepts a password reset link only once, even for concurrent requests', async () => {
    const user = await createUser(system.url, admin, { first: 'Reset', role: 'member' });
    const createToken = async () => {
      const { resetUrl } = await expectStatus(
        admin.call<{ resetUrl: string }>('POST', `/users/${user.id}/reset-link`),
        200,
      );
      return tokenIn(resetUrl);
    };
    const token = await createToken();
    const resetPassword = (password: string) => post('/auth/reset-password', { token, password });
    const responses = await Promise.all([resetPassword('First#Try1'), resetPassword('Second#Try2')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const retry = await resetPassword('Third#Try3');
    expect(retry).toMatchObject({ status: 400, body: { message: expect.stringMatching(/invalid/i) } });
    const newPassword = responses[0]?.status === 200 ? 'First#Try1' : 'Second#Try2';
    await signIn(system.url, user.email, newPassword);
    expect((await post('/auth/login', { email: user.email, password: 'Third#Try3' })).status).toBe(401);
  });

  it('ends every session of a user who resets the password', async () => {
    const user = await createUser(system.url, admin, { first: 'Ended', role: 'member' });
    const { refreshToken } = await signIn(system.url, user.email, PASSWORD);
    const { resetUrl } = await expectStatus(
      admin.call<{ resetUrl: string }>('POST', `/users/${user.id}/reset-link`),
      200,
    );
    const token = tokenIn(resetUrl);
    expect((await post('/auth/reset-password', { token, password: 'Brand#New1' })).status).toBe(200);
    expect((await post('/auth/refresh', { refreshToken })).status).toBe(401);
  });

  it('does not reveal in password reset responses whether an account exists', async () => {
    const responses = [
      await post('/auth/forgot-password', { email: member.email }),
      await post('/auth/forgot-password', { email: 'nobody@example.org' }),
    ];
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [202, responses[0]?.body],
      [202, responses[0]?.body],
    ]);
  });
});

describe('resources requested by a wrong path', () => {
  it('are not found if a comment is requested through a different task', async () => {
    const [task, otherTask] = await Promise.all(
      ['One', 'Other'].map((title) =>
        expectStatus(admin.call<{ _id: string }>('POST', '/tasks', { title, project }), 201),
      ),
    );
    const path = `/tasks/${task?._id}/comments`;
    const { _id } = await expectStatus(admin.call<{ _id: string }>('POST', path, { comment: 'Mine' }), 201);
    expect((await admin.call('DELETE', `/tasks/${otherTask?._id}/comments/${_id}`)).status).toBe(404);
    expect((await admin.call('DELETE', `${path}/${_id}`)).status).toBe(204);
  });

  it('are not found if an invitation or a session is requested by a user id', async () => {
    expect((await admin.call('DELETE', `/auth/invites/${member.id}`)).status).toBe(404);
    expect((await admin.call('POST', `/auth/invites/${member.id}/resend`)).status).toBe(404);
    expect((await admin.call('DELETE', `/auth/sessions/${admin.id}`)).status).toBe(404);
  });
});

describe('characters with a meaning in databases', () => {
  const LISTS = [
    ['/projects', '100% sure_fire\\plan'],
    ['/tasks', '50% of the under_score\\s'],
    ['/departments', 'R&D 5%_\\'],
  ] as const;

  it.each(LISTS)('are ordinary characters in the search of %s', async (path, name) => {
    const find = (search: string) =>
      expectStatus(admin.call<Page>('GET', `${path}?${new URLSearchParams({ search })}`), 200);
    for (const search of ['%', '%%', name]) {
      expect([search, (await find(search)).data.map((item) => item.name ?? item.title)]).toEqual([search, [name]]);
    }
    for (const search of ['_', '__', '\\', "' or 1=1 --", "');select pg_sleep(5);--"]) {
      expect([search, (await find(search)).total]).toEqual([search, 0]);
    }
  });

  it.each(['%', '_', '\\'])('are ordinary characters in the search of users: %s', async (search) => {
    expect((await expectStatus(admin.call<Page>('GET', `/users?${new URLSearchParams({ search })}`), 200)).total).toBe(
      0,
    );
  });

  it.each([
    ['GET', '/users?search=a%00b', undefined],
    ['GET', '/projects?search=a%00b', undefined],
    ['GET', '/tasks?search=a%00b', undefined],
    ['GET', '/departments?search=a%00b', undefined],
    ['PATCH', '/users/profile', { bio: 'a\u0000b' }],
    ['PATCH', '/users/profile', { bio: 'half a character: \ud83d' }],
    ['POST', '/departments', { name: 'a\u0000b' }],
    ['POST', '/auth/invite', { email: 'nul@example.org', firstName: 'a\u0000b', lastName: 'c', role: 'member' }],
    ['POST', '/auth/login', { email: 'a\u0000b@example.org', password: 'Something#1' }],
  ] as const)('are rejected or stored without a server error: %s %s %j', async (method, path, body) => {
    expect((await admin.call(method, path, body)).status).toBeLessThan(500);
  });

  it('are rejected or stored without a server error in projects, tasks, and comments', async () => {
    for (const text of ['a\u0000b', 'half a character: \ud83d']) {
      expect((await admin.call('POST', '/projects', projectBody(text))).status).toBeLessThan(500);
      const { status, body } = await admin.call<Json>('POST', '/tasks', { title: text, project });
      expect(status).toBeLessThan(500);
      const path = `/tasks/${String(body._id)}/comments`;
      if (status === 201) expect((await admin.call('POST', path, { comment: text })).status).toBeLessThan(500);
    }
  });
});

describe('oversized input', () => {
  // The text is longer than any field allows, and below the body limit before sign-in (16 KB).
  const LONG = 'x'.repeat(15_000);

  it.each([
    ['PATCH', '/users/profile', { bio: LONG }],
    ['PATCH', '/users/profile', { firstName: LONG }],
    ['POST', '/departments', { name: LONG }],
    ['POST', '/auth/invite', { email: `${LONG}@example.org`, firstName: 'a', lastName: 'b', role: 'member' }],
    ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: `Aa1#${LONG}` }],
    ['POST', '/auth/reset-password', { token: LONG, password: PASSWORD }],
    ['POST', '/auth/forgot-password', { email: `${LONG}@example.org` }],
    ['GET', `/users?search=${'x'.repeat(201)}`, undefined],
    ['GET', `/projects?search=${'x'.repeat(201)}`, undefined],
    ['GET', `/tasks?search=${'x'.repeat(201)}`, undefined],
  ] as const)('is rejected with 400: %s %.40s', async (method, path, body) => {
    expect((await admin.call(method, path, body)).status).toBe(400);
  });

  it('is rejected with 400 in projects, tasks, and comments', async () => {
    expect((await admin.call('POST', '/projects', projectBody(LONG))).status).toBe(400);
    expect((await admin.call('PATCH', `/projects/${project}`, { description: LONG })).status).toBe(400);
    const task = await expectStatus(admin.call<{ _id: string }>('POST', '/tasks', { title: 'Short', project }), 201);
    expect((await admin.call('PATCH', `/tasks/${task._id}`, { title: LONG })).status).toBe(400);
    expect((await admin.call('POST', `/tasks/${task._id}/comments`, { comment: LONG })).status).toBe(400);
  });

  it('is rejected with 413 above the body limit, which is lower before sign-in', async () => {
    const repeat = (bytes: number) => 'x'.repeat(bytes);
    expect((await admin.call('PATCH', '/users/profile', { bio: repeat(65_536) })).status).toBe(413);
    expect((await admin.call('POST', '/auth/forgot-password', { email: repeat(16_384) })).status).toBe(413);
    expect((await admin.call('PATCH', '/users/profile', { bio: repeat(1_100_000) })).status).toBe(413);
  });

  it('as the limit of a list is reduced to 100, and pages beyond 10,000 rows are rejected with 400', async () => {
    for (const path of ['/users', '/projects', '/tasks', '/departments', '/auth/sessions', '/auth/invites']) {
      const response = await admin.call<Page>('GET', `${path}?page=100&limit=1000000`);
      expect([path, response.status, response.body.data]).toEqual([path, 200, []]);
      const beyondLimit = await admin.call<{ message: unknown }>('GET', `${path}?page=101&limit=1000000`);
      expect([path, beyondLimit.status, beyondLimit.body.message]).toEqual([
        path,
        400,
        ['Narrow the search to see more'],
      ]);
    }
  });
});
