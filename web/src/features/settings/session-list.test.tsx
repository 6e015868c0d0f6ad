import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { accessToken, hasSignedOut, storeDeviceToken, storedDeviceToken, storeTokens } from '#lib/api/tokens.ts';
import { saveDraft } from '#lib/forms/drafts.ts';
import { setProfile } from '#lib/session/session.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { SessionList } from './session-list.tsx';

const FEED = { createdAt: '2026-01-01T10:00:00.000Z', readAt: '2026-01-02T10:00:00.000Z' };

let stop: () => Promise<void>;
let signOutStatus: number;
let requests: string[];
let sessions: object[];

beforeEach(async () => {
  signOutStatus = 204;
  requests = [];
  sessions = [];
  ({ stop } = await startApi(({ method, path }) => {
    requests.push(`${method} ${path}`);
    if (path.endsWith('/sign-out-everywhere')) {
      return signOutStatus === 204
        ? { status: 204 }
        : { status: signOutStatus, body: { message: 'Not now', code: 'unavailable' } };
    }
    if (path === '/api/meetings/feed')
      return method === 'DELETE' ? { status: 204 } : { status: 200, body: { feed: FEED } };
    if (method === 'GET' && path.startsWith('/api/auth/sessions'))
      return { status: 200, body: { data: sessions, total: sessions.length, page: 1, totalPages: 1 } };
    if (path === '/api/auth/sessions/s') {
      sessions = [];
      return { status: 204 };
    }
    return { status: 200, body: { data: [], total: 0, page: 1, totalPages: 1 } };
  }));
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
  act(() => setProfile(buildUser('a')));
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

async function show(): Promise<void> {
  render(<SessionList />, withQueryCache);
  await screen.findByText('Calendar link');
}

async function signOutEverywhere(): Promise<void> {
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  const confirmation = within(await screen.findByRole('alertdialog'));
  expect(requests).not.toContain('POST /api/auth/sign-out-everywhere');
  await userEvent.click(confirmation.getByRole('button', { name: 'Sign Out Everywhere' }));
  await waitFor(() => expect(requests).toContain('POST /api/auth/sign-out-everywhere'));
}

it('session list signs out everywhere after confirmation, including this browser, and keeps its device id for the next sign-in', async () => {
  storeDeviceToken('this browser');
  await signOutEverywhere();
  await waitFor(() => expect(accessToken()).toBeNull());
  expect(hasSignedOut()).toBe(true);
  expect(storedDeviceToken()).toEqual({ device: 'this browser' });
});

it('session list warns that unsaved changes are lost by signing out everywhere', async () => {
  const ada = buildUser('a');
  signInAs(ada);
  saveDraft(ada._id, 'project:new', 'half a project');
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  await screen.findByText(/Unsaved changes and unsent messages will be lost/);
});

it('session list stays signed in if signing out everywhere fails', async () => {
  signOutStatus = 503;
  await signOutEverywhere();
  expect(await screen.findByRole('alertdialog')).toBeTruthy();
  expect(accessToken()).toBe('a');
});

it('session list lists the calendar link with its last use, and removes it after confirmation', async () => {
  await show();
  const [row] = screen.getAllByRole('listitem');
  expect(row?.textContent).toMatch(/^Calendar linkCreated .+ · Last read .+/);
  await userEvent.click(screen.getByRole('button', { name: 'Remove calendar link' }));
  expect(requests).not.toContain('DELETE /api/meetings/feed');
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Link' }));
  await waitFor(() => expect(requests).toContain('DELETE /api/meetings/feed'));
  await waitFor(() => expect(screen.queryByText('Calendar link')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Active sessions' })));
});

it('session list moves focus to the list when a session is signed out', async () => {
  const time = '2026-01-01T10:00:00.000Z';
  sessions = [{ _id: 's', device: 'Firefox on Linux', address: '', createdAt: time, lastUsedAt: time, current: false }];
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out Firefox on Linux' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Active sessions' })));
});
