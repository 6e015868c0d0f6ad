import type { createProject, listProjects } from '@atrium/proto-events/http/projects';
import type { getProfile } from '@atrium/proto-events/http/users';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Handler, startApi } from '#test/api-server.ts';
import { call } from './api.ts';
import { ApiError, messageOf } from './api-error.ts';
import { accessToken, clearTokens, refreshToken, storeTokens } from './tokens.ts';

let stop: () => Promise<void> = async () => undefined;

async function serve(handle: Handler): Promise<void> {
  ({ stop } = await startApi(handle));
}

afterEach(async () => {
  await stop();
  localStorage.clear();
});

/** Builds an access token without a valid signature. */
const buildToken = (sub: string, lifeSeconds = 900, n = 0) =>
  `head.${btoa(JSON.stringify({ sub, iat: 1_000, exp: 1_000 + lifeSeconds, n }))}.signature`;

const profile = () => call<typeof getProfile>('GET /users/profile', {});
const unauthorized = { status: 401, body: { message: 'Token expired', code: 'unauthorized', requestId: 'r' } };

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

describe('a rejected access token', () => {
  it('is refreshed once for many concurrent calls, and each call is retried', async () => {
    let refreshes = 0;
    await serve(({ path, token }) => {
      if (path === '/api/auth/refresh') {
        refreshes += 1;
        return { status: 200, body: { accessToken: 'new', refreshToken: 'next' } };
      }
      return token === 'new' ? { status: 200, body: { ok: true } } : unauthorized;
    });
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    expect(await Promise.all([profile(), profile(), profile(), profile()])).toHaveLength(4);
    expect(refreshes).toBe(1);
    expect([accessToken(), refreshToken()]).toEqual(['new', 'next']);
  });

  it('is not refreshed again when another tab has done so', async () => {
    let refreshes = 0;
    await serve(({ path, token }) => {
      if (path === '/api/auth/refresh') refreshes += 1;
      if (token === 'old') storeTokens({ accessToken: 'of-the-other-tab', refreshToken: 'next' });
      return token === 'of-the-other-tab' ? { status: 200, body: {} } : unauthorized;
    });
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    await profile();
    expect(refreshes).toBe(0);
  });

  it('leaves the user signed out when they sign out during the refresh', async () => {
    await serve(({ path }) => {
      if (path !== '/api/auth/refresh') return unauthorized;
      clearTokens();
      return { status: 200, body: { accessToken: 'new', refreshToken: 'next' } };
    });
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    expect((await failure(profile())).status).toBe(401);
    expect([accessToken(), refreshToken()]).toEqual([null, null]);
  });

  it('signs out with the error of the server when the refresh is rejected', async () => {
    await serve(() => unauthorized);
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    expect((await failure(profile())).status).toBe(401);
    expect([accessToken(), refreshToken()]).toEqual([null, null]);
  });

  it('keeps the tokens when the refresh request fails', async () => {
    await serve(({ path }) =>
      path === '/api/auth/refresh' ? { status: 503, body: { message: 'Later' } } : unauthorized,
    );
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    await failure(profile());
    expect(refreshToken()).toBe('first');
  });

  it('is not replaced by that of a different user who has signed in meanwhile', async () => {
    const requests: (string | null)[] = [];
    await serve(({ token }) => {
      requests.push(token);
      storeTokens({ accessToken: buildToken('bob'), refreshToken: 'of-bob' });
      return unauthorized;
    });
    storeTokens({ accessToken: buildToken('ada'), refreshToken: 'of-ada' });
    expect((await failure(profile())).status).toBe(401);
    expect(requests).toEqual([buildToken('ada')]);
    expect(refreshToken()).toBe('of-bob');
  });

  it('fails without a refresh token', async () => {
    await serve(() => unauthorized);
    localStorage.setItem('access_token', 'old');
    expect((await failure(profile())).message).toBe('No refresh token available');
  });
});

describe('an access token close to expiry', () => {
  const serveFresh = async (respondToRefresh: () => { status: number; body: unknown }) => {
    const requests: string[] = [];
    await serve(({ path, token }) => {
      requests.push(`${path} ${token ?? ''}`);
      return path === '/api/auth/refresh' ? respondToRefresh() : { status: 200, body: {} };
    });
    return requests;
  };
  const freshToken = buildToken('ada', 900, 2);

  it('is refreshed before a call in its last minute, regardless of the device clock', async () => {
    const requests = await serveFresh(() => ({ status: 200, body: { accessToken: freshToken, refreshToken: 'next' } }));
    storeTokens({ accessToken: buildToken('ada', 59), refreshToken: 'first' });
    await Promise.all([profile(), profile()]);
    expect(requests).toEqual([
      '/api/auth/refresh ',
      `/api/users/profile ${freshToken}`,
      `/api/users/profile ${freshToken}`,
    ]);
  });

  it('is deleted with the reason of the server when the session has ended', async () => {
    const revoked = { status: 401, body: { message: 'Session revoked', code: 'unauthorized', requestId: 'r' } };
    await serveFresh(() => revoked);
    storeTokens({ accessToken: buildToken('ada', 59), refreshToken: 'first' });
    expect(await failure(profile())).toMatchObject({ status: 401, message: 'Session revoked' });
    expect([accessToken(), refreshToken()]).toEqual([null, null]);
  });

  it('is not refreshed earlier', async () => {
    const requests = await serveFresh(() => ({ status: 500, body: {} }));
    storeTokens({ accessToken: buildToken('ada', 120), refreshToken: 'first' });
    await profile();
    expect(requests).toEqual([`/api/users/profile ${buildToken('ada', 120)}`]);
  });

  it('remains in use when the refresh fails', async () => {
    const requests = await serveFresh(() => ({ status: 503, body: { message: 'Later' } }));
    storeTokens({ accessToken: buildToken('ada', 59), refreshToken: 'first' });
    await profile();
    await profile();
    expect(requests.filter((request) => request.startsWith('/api/auth/refresh'))).toHaveLength(1);
    expect(requests.at(-1)).toBe(`/api/users/profile ${buildToken('ada', 59)}`);
  });
});

describe('an API call', () => {
  it('returns how long the server asks to wait', async () => {
    await serve(() => ({ status: 429, headers: { 'retry-after': '7' }, body: { message: 'Too many requests' } }));
    expect((await failure(profile())).retryAfterMs).toBe(7_000);
  });

  it('sends its query without empty values', async () => {
    let requestedPath = '';
    await serve(({ path }) => {
      requestedPath = path;
      return { status: 200, body: {} };
    });
    await call<typeof listProjects>('GET /projects', { query: { search: '', limit: 6, priority: 'high' } });
    expect(requestedPath).toBe('/api/projects?limit=6&priority=high');
  });

  it('joins a list of messages and keeps the fields of each', async () => {
    await serve(() => ({
      status: 400,
      body: {
        message: ['A', 'B'],
        code: 'validation_failed',
        requestId: 'r1',
        errors: [{ path: 'body.name', message: 'A' }],
      },
    }));
    const body = { name: '', description: '', projectManager: '', priority: 'low', status: 'on-hold' } as const;
    const error = await failure(call<typeof createProject>('POST /projects', { body }));
    expect(error).toMatchObject({ message: 'A, B', code: 'validation_failed', requestId: 'r1' });
    expect(error.errors).toEqual([{ path: 'body.name', message: 'A' }]);
  });

  it('uses a default message when the server sends none', async () => {
    await serve(() => ({ status: 500, body: {} }));
    const error = await failure(profile());
    expect(error.message).toBe('An error occurred');
    expect(messageOf(error, 'Failed to load users')).toBe('Failed to load users');
  });

  it('reports a network error without a response', async () => {
    await serve(() => ({ status: 200, body: {} }));
    await stop();
    globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
    stop = async () => undefined;
    expect((await failure(profile())).message).toBe('Network error - please check your connection');
  });

  it('reports a failed request when it could not be sent', async () => {
    await serve(() => ({ status: 200, body: {} }));
    storeTokens({ accessToken: 'a token\nof two lines', refreshToken: 'first' });
    expect((await failure(profile())).message).toBe('Request failed');
  });
});
