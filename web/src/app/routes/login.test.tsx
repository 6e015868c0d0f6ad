import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { clearTokens, storeTokens, watchTokens } from '#lib/api/tokens.ts';
import { loadProfile } from '#lib/session/session.ts';
import { type Handler, startApi } from '#test/api-server.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import Login from './login.tsx';
import ResetPassword from './reset-password.tsx';

type ApiResponse = ReturnType<Handler>;

const NO_SETUP = { setupRequired: false, setupTokenRequired: false, registration: 'invitation' };
const errorResponse = (status: number, message: string, code = 'rejected'): ApiResponse => ({
  status,
  body: { message, code },
});

let responses: Record<string, ApiResponse>;
let requests: { call: string; body: unknown }[];
let stop: () => Promise<void>;

beforeEach(async () => {
  responses = { 'GET /api/auth/setup': { status: 200, body: NO_SETUP } };
  requests = [];
  ({ stop } = await startApi(({ method, path, body }) => {
    const call = `${method} ${path}`;
    requests.push({ call, body });
    return responses[call] ?? errorResponse(404, 'Not found');
  }));
  sessionStorage.clear();
  localStorage.clear();
  clearTokens();
  await loadProfile();
});

afterEach(async () => {
  cleanup();
  dismissToasts();
  await stop();
});

function visit(address: string): void {
  window.history.pushState(null, '', address);
  render(
    <BrowserRouter useTransitions={false}>
      <Routes>
        <Route path="/login" element={<Login />} />
        <Route path="/reset-password" element={<ResetPassword />} />
        <Route path="*" element="In" />
      </Routes>
    </BrowserRouter>,
  );
}

const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function signIn(): Promise<void> {
  await type('Email', 'maya@example.org');
  await type('Password', 'Tuesday#1');
  await press('Sign In');
}

describe('the sign-in form', () => {
  it('shows wrong credentials at the password and focuses it', async () => {
    responses['POST /api/auth/login'] = errorResponse(401, 'Invalid credentials');
    visit('/login');
    await signIn();
    const password = screen.getByLabelText('Password');
    await waitFor(() => expect(password.getAttribute('aria-invalid')).toBe('true'));
    expect(document.activeElement).toBe(password);
  });

  it.each([429, 503])('marks no field as invalid when the server responds with %i', async (status) => {
    responses['POST /api/auth/login'] = errorResponse(status, 'Try again later');
    visit('/login');
    await signIn();
    await waitFor(() =>
      expect(currentToast()).toMatchObject({ title: 'Login failed', description: 'Try again later' }),
    );
    expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBeNull();
  });

  it('shows no error for input that changed during validation', async () => {
    visit('/login');
    const email = await screen.findByLabelText('Email');
    act(() => email.focus());
    fireEvent.blur(email);
    fireEvent.change(email, { target: { value: 'maya@example.org' } });
    await type('Password', 'a');
    await import('#features/sign-in/login-schema.ts');
    expect(screen.queryByText('Email is required')).toBeNull();
  });
});

describe('an ended session', () => {
  it.each([
    ['session_ended', 'An administrator signed you out.', 'An administrator signed you out.'],
    ['unauthorized', 'Unauthorized', 'Your session has expired. Sign in again to continue.'],
  ])('is explained on the sign-in page until the next sign-in or logout (%s)', async (code, message, explanation) => {
    responses['GET /api/users/profile'] = errorResponse(401, 'Unauthorized');
    responses['POST /api/auth/refresh'] = errorResponse(401, message, code);
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    await loadProfile();
    visit('/login');
    await screen.findByText(explanation);
    cleanup();
    visit('/login');
    await screen.findByText(explanation);
    cleanup();
    storeTokens({ accessToken: 'new', refreshToken: 'next' });
    clearTokens(true);
    await loadProfile();
    visit('/login');
    await screen.findByLabelText('Email');
    expect(screen.queryByText(explanation)).toBeNull();
  });
});

describe('a logout in another tab', () => {
  const signOutElsewhere = (oldValue: string | null) => {
    localStorage.setItem('atrium:left', '1');
    localStorage.removeItem('access_token');
    localStorage.removeItem('refresh_token');
    window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', oldValue, newValue: null }));
  };
  const findExplanation = () => screen.queryByText('You signed out in another tab.');

  it('is explained only in a tab that was signed in', async () => {
    watchTokens();
    storeTokens({ accessToken: 'old', refreshToken: 'first' });
    signOutElsewhere('old');
    visit('/login');
    await screen.findByText('You signed out in another tab.');
    cleanup();
    // Signing in and out in this tab needs no explanation, nor does a tab without a session.
    storeTokens({ accessToken: 'new', refreshToken: 'next' });
    clearTokens(true);
    visit('/login');
    await screen.findByLabelText('Email');
    expect(findExplanation()).toBeNull();
    cleanup();
    signOutElsewhere(null);
    visit('/login');
    await screen.findByLabelText('Email');
    expect(findExplanation()).toBeNull();
  });
});

describe('an empty workspace', () => {
  const typeAccount = async () => {
    await type('First name', 'Maya');
    await type('Last name', 'Okafor');
    await type('Email', 'maya@example.org');
    await type('Password', 'Tuesday#1');
    await type('Confirm password', 'Tuesday#1');
  };

  it('offers setup as soon as the server is available, without a reload', async () => {
    responses['GET /api/auth/setup'] = errorResponse(503, 'Not yet');
    visit('/login');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
    await screen.findByLabelText('Email');
    responses['GET /api/auth/setup'] = { status: 200, body: { ...NO_SETUP, setupRequired: true } };
    expect(await screen.findByRole('heading', { name: 'Set up Atrium' })).toBeTruthy();
  });

  it('takes the setup token from the URL and removes it, and asks for it when it is rejected', async () => {
    responses['GET /api/auth/setup'] = {
      status: 200,
      body: { ...NO_SETUP, setupRequired: true, setupTokenRequired: true },
    };
    responses['POST /api/auth/register'] = errorResponse(
      403,
      'Setting up the workspace requires the link with the setup token',
    );
    visit('/login?setup=from-the-link');
    await screen.findByLabelText('First name');
    expect(window.location.search).toBe('');
    expect(screen.queryByLabelText('Setup token')).toBeNull();
    await typeAccount();
    await press('Create administrator account');
    const field = await screen.findByLabelText<HTMLInputElement>('Setup token');
    expect(field.value).toBe('from-the-link');
    expect(requests.at(-1)?.body).toMatchObject({ firstName: 'Maya', setupToken: 'from-the-link' });
    expect(screen.getByText('Setting up the workspace requires the link with the setup token')).toBeTruthy();
  });

  it('asks for the setup token when the URL has none', async () => {
    responses['GET /api/auth/setup'] = {
      status: 200,
      body: { ...NO_SETUP, setupRequired: true, setupTokenRequired: true },
    };
    visit('/login');
    await screen.findByLabelText('Setup token');
    await typeAccount();
    await press('Create administrator account');
    expect(await screen.findByText('Setup token is required')).toBeTruthy();
  });
});

describe('the secret of a link', () => {
  it('is removed from the URL immediately and survives a reload', async () => {
    visit('/reset-password?token=secret');
    await screen.findByLabelText('New password');
    await type('New password', 'Tues');
    expect(window.location.href).not.toContain('secret');
    cleanup();
    visit('/reset-password');
    await type('New password', 'Tuesday#1');
    await type('Confirm new password', 'Tuesday#1');
    responses['POST /api/auth/reset-password'] = errorResponse(400, 'The token is invalid', 'invalid_token');
    await press('Set New Password');
    expect(await screen.findByRole('heading', { name: 'This link is invalid' })).toBeTruthy();
    expect(requests.at(-1)?.body).toMatchObject({ token: 'secret' });
    cleanup();
    visit('/reset-password');
    expect(await screen.findByRole('heading', { name: 'This link is invalid' })).toBeTruthy();
  });
});
