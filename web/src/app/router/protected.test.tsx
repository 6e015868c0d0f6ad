import '../../../test/retry-timeouts.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { buildUser } from '../../../test/a-person.ts';
import { startApi } from '../../../test/api-server.ts';
import { setProfile, loadProfile, signOut, startSession } from '../../lib/session/session.ts';
import { storeTokens, watchTokens } from '../../lib/session/tokens.ts';
import { useCurrentUser } from '../../lib/session/use-session.ts';
import { Protected } from './protected.tsx';

let stop: () => Promise<void>;
let profileStatus = 200;
let logoutStatus = 204;
let ended: (string | null)[] = [];

const user = { _id: '65f0c0ffee0000000000000a', firstName: 'Maya', timezone: 'Europe/Berlin' };
const other = { ...user, _id: '65f0c0ffee0000000000000b', firstName: 'Jonas' };
const OTHERS_TOKEN = `head.${btoa(JSON.stringify({ sub: other._id }))}.signature`;

beforeEach(async () => {
  profileStatus = 200;
  logoutStatus = 204;
  ended = [];
  ({ stop } = await startApi(({ path, token, body }) => {
    if (path === '/api/users/profile' && token === OTHERS_TOKEN) return { status: 200, body: other };
    if (path === '/api/users/profile') return { status: profileStatus, body: profileStatus === 200 ? user : {} };
    if (path === '/api/auth/logout') {
      ended.push(token);
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
  it('sends a visitor to sign in and remembers where they wanted to go', async () => {
    await loadProfile();
    open();
    expect(await screen.findByText('Login, from /meetings')).toBeTruthy();
  });

  it('waits with a spinner while it is found out who is there, then shows itself', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    const loading = loadProfile();
    open();
    expect(screen.getByRole('status').textContent).toBe('Loading');
    await act(() => loading);
    expect(await screen.findByText('The meetings')).toBeTruthy();
  });

  it('keeps the tokens when the profile fails for any reason but a 401, and offers to try again', async () => {
    profileStatus = 503;
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    expect(screen.getByText('Atrium cannot be reached')).toBeTruthy();
    expect(localStorage.getItem('access_token')).toBe('a');
  });

  it('shows itself as soon as the profile can be had again, without being asked', async () => {
    profileStatus = 503;
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    expect(screen.getByText('Atrium cannot be reached')).toBeTruthy();
    profileStatus = 200;
    expect(await screen.findByText('The meetings')).toBeTruthy();
  });

  it('is left when the session has ended elsewhere', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    profileStatus = 401;
    await act(loadProfile);
    expect(await screen.findByText('Login, from /meetings')).toBeTruthy();
    expect(localStorage.getItem('refresh_token')).toBeNull();
  });

  it('is left on logout whatever the server answers, and not kept for whoever signs in next', async () => {
    logoutStatus = 500;
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    await act(signOut);
    expect(await screen.findByText('Login, from nowhere')).toBeTruthy();
    expect(localStorage.getItem('access_token')).toBeNull();
  });

  it('ends the session with a renewed token where the present one is too old, and keeps none', async () => {
    storeTokens({ accessToken: 'too-old', refreshToken: 'good' });
    await loadProfile();
    open();
    await act(signOut);
    expect(ended).toEqual(['too-old', 'fresh']);
    expect(localStorage.getItem('access_token')).toBeNull();
    expect(localStorage.getItem('refresh_token')).toBeNull();
  });

  it('is of whoever has signed in in another tab from then on', async () => {
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
    'is of whoever signs in in another tab while it is found out who was there (%i)',
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

  it('stays left when an own change is answered after the logout', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    await act(signOut);
    act(() => setProfile(buildUser('a')));
    expect(screen.getByText('Login, from nowhere')).toBeTruthy();
  });

  it('stays left when the profile asked for before the logout is answered after it', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    const asked = loadProfile();
    await act(signOut);
    await act(() => asked);
    expect(screen.getByText('Login, from nowhere')).toBeTruthy();
  });

  it('is not kept for the next to sign in where its person logged out in another tab', async () => {
    storeTokens({ accessToken: 'a', refreshToken: 'r' });
    await loadProfile();
    open();
    // What a log-out in another tab does to the storage, and the browser's word of it.
    localStorage.setItem('atrium:left', '1');
    localStorage.removeItem('access_token');
    localStorage.removeItem('refresh_token');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' })));
    expect(await screen.findByText('Login, from nowhere')).toBeTruthy();
  });
});
