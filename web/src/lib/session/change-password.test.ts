import { afterEach, expect, it } from '@jest/globals';
import { startApi } from '#test/api-server.ts';
import { refreshAccessToken } from '../api/refresh-tokens.ts';
import { accessToken, refreshToken, storeTokens } from '../api/tokens.ts';
import { changePassword } from './change-password.ts';

let stop: () => Promise<void> = async () => undefined;

afterEach(async () => {
  localStorage.clear();
  await stop();
});

it('changePassword stores the new tokens before any refresh that the revocation causes, so that no tab is signed out', async () => {
  const requestReceived = Promise.withResolvers<void>();
  const response = Promise.withResolvers<void>();
  const paths: string[] = [];
  ({ stop } = await startApi(async ({ path, token }) => {
    paths.push(`${path} ${token}`);
    if (path !== '/api/auth/change-password') return { status: 401, body: { message: 'Unauthorized' } };
    requestReceived.resolve();
    await response.promise;
    return { status: 200, body: { accessToken: 'new', refreshToken: 'next' } };
  }));
  storeTokens({ accessToken: 'old', refreshToken: 'first' });
  const passwordChange = changePassword({ currentPassword: 'a', newPassword: 'b' });
  await requestReceived.promise;
  const refreshedToken = refreshAccessToken('old');
  response.resolve();
  expect(await refreshedToken).toBe('new');
  await passwordChange;
  expect([accessToken(), refreshToken()]).toEqual(['new', 'next']);
  expect(paths).toEqual(['/api/auth/change-password old']);
});
