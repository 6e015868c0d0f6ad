import type { createProject, listProjects } from '@atrium/proto-events/http/projects';
import type { getProfile } from '@atrium/proto-events/http/users';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Handler, startApi } from '../../../test/api-server.ts';
import { accessToken, clearTokens, refreshToken, storeTokens } from '../session/tokens.ts';
import { call } from './api.ts';
import { ApiError, messageOf } from './api-error.ts';

let stop: () => Promise<void> = async () => undefined;

async function serve(handle: Handler): Promise<void> {
  ({ stop } = await startApi(handle));
}

afterEach(async () => {
  await stop();
  localStorage.clear();
});

/** A token as the servers make them, but for its signature. */
const tokenOf = (sub: string, lifeSeconds = 900, n = 0) =>
  `head.${btoa(JSON.stringify({ sub, iat: 1_000, exp: 1_000 + lifeSeconds, n }))}.signature`;

const profile = () => call<typeof getProfile>('GET /users/profile', {});
const refused = { status: 401, body: { message: 'Token expired', code: 'unauthorized', requestId: 'r' } };

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

describe('a refused access token', () => {
  it('is renewed once for many calls at once, and each call is repeated', async () => {
    let refreshes = 0;
    await serve(({ path, token }) => {
      if (path === '/api/auth/refresh') {
        refreshes += 1;
        return { status: 200, body: { accessToken: 'new', refreshToken: 'next' } };
      }
      return token === 'new' ? { status: 200, body: { ok: true } } : refused;
    });
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    expect(await Promise.all([profile(), profile(), profile(), profile()])).toHaveLength(4);
    expect(refreshes).toBe(1);
    expect([accessToken(), refreshToken()]).toEqual(['new', 'next']);
  });

  it('is not renewed again when another tab already did', async () => {
    let refreshes = 0;
    await serve(({ path, token }) => {
      if (path === '/api/auth/refresh') refreshes += 1;
      if (token === 'old') storeTokens({ accessToken: 'of-the-other-tab', refreshToken: 'next' });
      return token === 'of-the-other-tab' ? { status: 200, body: {} } : refused;
    });
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    await profile();
    expect(refreshes).toBe(0);
  });

  it('stays signed out when someone leaves while it is renewed', async () => {
    await serve(({ path }) => {
      if (path !== '/api/auth/refresh') return refused;
      clearTokens();
      return { status: 200, body: { accessToken: 'new', refreshToken: 'next' } };
    });
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    expect((await failure(profile())).status).toBe(401);
    expect([accessToken(), refreshToken()]).toEqual([null, null]);
  });

  it('signs out when the server refuses the refresh, and gives its error', async () => {
    await serve(() => refused);
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    expect((await failure(profile())).status).toBe(401);
    expect([accessToken(), refreshToken()]).toEqual([null, null]);
  });

  it('keeps the tokens when the refresh could not be asked for', async () => {
    await serve(({ path }) => (path === '/api/auth/refresh' ? { status: 503, body: { message: 'Later' } } : refused));
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    await failure(profile());
    expect(refreshToken()).toBe('first');
  });

  it('never repeats a call as somebody else who has signed in meanwhile', async () => {
    const heard: (string | null)[] = [];
    await serve(({ token }) => {
      heard.push(token);
      storeTokens({ accessToken: tokenOf('bob'), refreshToken: 'of-bob' });
      return refused;
    });
    storeTokens({ accessToken: tokenOf('ada'), refreshToken: 'of-ada' });
    expect((await failure(profile())).status).toBe(401);
    expect(heard).toEqual([tokenOf('ada')]);
    expect(refreshToken()).toBe('of-bob');
  });

  it('says so when there is nothing to renew it with', async () => {
    await serve(() => refused);
    localStorage.setItem('access_token', 'old');
    expect((await failure(profile())).message).toBe('No refresh token available');
  });
});

describe('an access token', () => {
  const serveFresh = async (answer: () => { status: number; body: unknown }) => {
    const heard: string[] = [];
    await serve(({ path, token }) => {
      heard.push(`${path} ${token ?? ''}`);
      return path === '/api/auth/refresh' ? answer() : { status: 200, body: {} };
    });
    return heard;
  };
  const fresh = tokenOf('ada', 900, 2);

  it('is renewed in its last minute, before the call, whatever the clock of the device says', async () => {
    const heard = await serveFresh(() => ({ status: 200, body: { accessToken: fresh, refreshToken: 'next' } }));
    storeTokens({ accessToken: tokenOf('ada', 59), refreshToken: 'first' });
    await Promise.all([profile(), profile()]);
    expect(heard).toEqual(['/api/auth/refresh ', `/api/users/profile ${fresh}`, `/api/users/profile ${fresh}`]);
  });

  it('says what the server said where the session has ended, and blames nobody who came', async () => {
    const gone = { status: 401, body: { message: 'Session revoked', code: 'unauthorized', requestId: 'r' } };
    await serveFresh(() => gone);
    storeTokens({ accessToken: tokenOf('ada', 59), refreshToken: 'first' });
    expect(await failure(profile())).toMatchObject({ status: 401, message: 'Session revoked' });
    expect([accessToken(), refreshToken()]).toEqual([null, null]);
  });

  it('is left alone before that', async () => {
    const heard = await serveFresh(() => ({ status: 500, body: {} }));
    storeTokens({ accessToken: tokenOf('ada', 120), refreshToken: 'first' });
    await profile();
    expect(heard).toEqual([`/api/users/profile ${tokenOf('ada', 120)}`]);
  });

  it('serves on where it could not be renewed yet', async () => {
    const heard = await serveFresh(() => ({ status: 503, body: { message: 'Later' } }));
    storeTokens({ accessToken: tokenOf('ada', 59), refreshToken: 'first' });
    await profile();
    await profile();
    expect(heard.filter((one) => one.startsWith('/api/auth/refresh'))).toHaveLength(1);
    expect(heard.at(-1)).toBe(`/api/users/profile ${tokenOf('ada', 59)}`);
  });
});

describe('a call', () => {
  it('tells how long the server asks to wait', async () => {
    await serve(() => ({ status: 429, headers: { 'retry-after': '7' }, body: { message: 'Too many requests' } }));
    expect((await failure(profile())).retryAfterMs).toBe(7_000);
  });

  it('carries its query, leaving out what is empty', async () => {
    let asked = '';
    await serve(({ path }) => {
      asked = path;
      return { status: 200, body: {} };
    });
    await call<typeof listProjects>('GET /projects', { query: { search: '', limit: 6, priority: 'high' } });
    expect(asked).toBe('/api/projects?limit=6&priority=high');
  });

  it('joins a list of messages and keeps the fields they are about', async () => {
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

  it('falls back to fixed words where the server gave none', async () => {
    await serve(() => ({ status: 500, body: {} }));
    const error = await failure(profile());
    expect(error.message).toBe('An error occurred');
    expect(messageOf(error, 'Failed to load users')).toBe('Failed to load users');
  });

  it('names the network when nobody answers', async () => {
    await serve(() => ({ status: 200, body: {} }));
    await stop();
    globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
    stop = async () => undefined;
    expect((await failure(profile())).message).toBe('Network error - please check your connection');
  });

  it('says that it failed when it could not even be made', async () => {
    await serve(() => ({ status: 200, body: {} }));
    storeTokens({ accessToken: 'a token\nof two lines', refreshToken: 'first' });
    expect((await failure(profile())).message).toBe('Request failed');
  });
});
