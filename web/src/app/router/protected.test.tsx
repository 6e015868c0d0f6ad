import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { storeTokens, watchTokens } from '#lib/api/tokens.ts';
import { loadProfile, setProfile, signOut, startSession, useCurrentUser } from '#lib/session/session.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { Protected } from './protected.tsx';

let stop: () => Promise<void>;
let profileStatus = 200;
let logoutStatus = 204;
let endedTokens: (string | null)[] = [];

const user = { _id: '65f0c0ffee0000000000000a', firstName: 'Maya', timezone: 'Europe/Berlin' };
const otherUser = { ...user, _id: '65f0c0ffee0000000000000b', firstName: 'Jonas' };
const OTHERS_TOKEN = `head.${btoa(JSON.stringify({ sub: otherUser._id }))}.signature`;

beforeEach(async () => {
  profileStatus = 200;
  logoutStatus = 204;
  endedTokens = [];
  ({ stop } = await startApi(({ path, token, body }) => {
    if (path === '/api/users/profile' && token === OTHERS_TOKEN) return { status: 200, body: otherUser };
    if (path === '/api/users/profile') return { status: profileStatus, body: profileStatus === 200 ? user : {} };
    if (path === '/api/auth/logout') {
      endedTokens.push(token);
      return { status: token === 'too-old' ? 401 : logoutStatus };
    }
    if (path === '/api/auth/refresh' && (body as { refreshToken: string }).refreshToken === 'good')
      return { status: 200, body: { accessToken: 'fresh', refreshToken: 'next' } };
    return { status: 401, body: { message: 'Session revoked', code: 'unauthorized' } };
  }));
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await loadProfile();
  await stop();
});

function LoginProbe() {
  const state = useLocation().state as { from?: { pathname: string } } | null;
  return <p>Login, from {state?.from?.pathname ?? 'nowhere'}</p>;
}

function Meetings() {
  const { firstName } = useCurrentUser();
  return (
    <>
      <p>The meetings</p>
      <p>of {firstName}</p>
    </>
  );
}

function open(): void {
  render(
    <MemoryRouter initialEntries={['/meetings?page=2']}>
      <Routes>
        <Route path="/login" element={<LoginProbe />} />
        <Route element={<Protected />}>
          <Route path="/meetings" element={<Meetings />} />
        </Route>
      </Routes>
    </MemoryRouter>,
  );
}

startSession();
watchTokens();

describe('a protected page', () => {
  it('redirects a visitor to sign in and remembers their destination', async () => {
    await loadProfile();
    open();
    expect(await screen.findByText('Login, from /meetings')).toBeTruthy();
  });

  it('shows a spinner until the session is known, then its content', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    const loading = loadProfile();
    open();
    expect(screen.getByRole('status').textContent).toBe('Loading');
    await act(() => loading);
    expect(await screen.findByText('The meetings')).toBeTruthy();
  });

  it('keeps the tokens when the profile fails for any reason but a 401, and offers a retry', async () => {
    profileStatus = 503;
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    expect(screen.getByText('Atrium cannot be reached')).toBeTruthy();
    expect(localStorage.getItem('access_token')).toBe('a');
  });

  it('shows its content as soon as a retry of the profile succeeds', async () => {
    profileStatus = 503;
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    expect(screen.getByText('Atrium cannot be reached')).toBeTruthy();
    profileStatus = 200;
    expect(await screen.findByText('The meetings')).toBeTruthy();
  });

  it('redirects when the session has ended elsewhere', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    profileStatus = 401;
    await act(loadProfile);
    expect(await screen.findByText('Login, from /meetings')).toBeTruthy();
    expect(localStorage.getItem('refresh_token')).toBeNull();
  });

  it('redirects on logout even if the server fails, and does not return the next user to it', async () => {
    logoutStatus = 500;
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    await act(signOut);
    expect(await screen.findByText('Login, from nowhere')).toBeTruthy();
    expect(localStorage.getItem('access_token')).toBeNull();
  });

  it('refreshes an expired token to end the session on logout, and stores no token', async () => {
    storeTokens({ accessToken: 'too-old', refreshToken: 'good' });
    await loadProfile();
    open();
    await act(signOut);
    expect(endedTokens).toEqual(['too-old', 'fresh']);
    expect(localStorage.getItem('access_token')).toBeNull();
    expect(localStorage.getItem('refresh_token')).toBeNull();
  });

  it('shows the data of a user who signs in in another tab', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    expect(screen.getByText('of Maya')).toBeTruthy();
    localStorage.setItem('refresh_token', 's');
    localStorage.setItem('access_token', OTHERS_TOKEN);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
    expect(screen.queryByText('of Maya')).toBeNull();
    expect(await screen.findByText('of Jonas')).toBeTruthy();
  });

  it.each([200, 401])(
    'shows the data of a user who signs in in another tab while the profile request responds with %i',
    async (status) => {
      profileStatus = status;
      storeTokens({ accessToken: 'a', refreshToken: 'r' });
      const loading = loadProfile();
      open();
      localStorage.setItem('refresh_token', 's');
      localStorage.setItem('access_token', OTHERS_TOKEN);
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
      await act(() => loading);
      expect(await screen.findByText('of Jonas')).toBeTruthy();
      expect(localStorage.getItem('access_token')).toBe(OTHERS_TOKEN);
    },
  );

  it('stays closed when a write completes after logout', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    await act(signOut);
    act(() => setProfile(buildUser('a')));
    expect(screen.getByText('Login, from nowhere')).toBeTruthy();
  });

  it('stays closed when a profile requested before logout arrives after it', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    const pendingProfile = loadProfile();
    await act(signOut);
    await act(() => pendingProfile);
    expect(screen.getByText('Login, from nowhere')).toBeTruthy();
  });

  it('does not return the next user to it after a logout in another tab', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    // The storage change and event of a logout in another tab.
    localStorage.setItem('atrium:left', '1');
    localStorage.removeItem('access_token');
    localStorage.removeItem('refresh_token');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
    expect(await screen.findByText('Login, from nowhere')).toBeTruthy();
  });
});
