import '../../../test/browser-gaps.ts';
import '../../../test/patience.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPerson } from '../../../test/a-person.ts';
import { startApi } from '../../../test/api-server.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { keepDraft } from '../../lib/forms/drafts.ts';
import { keepDevice, knownDevice } from '../../lib/session/device-mark.ts';
import { accessToken, hasLeft, storeTokens } from '../../lib/session/tokens.ts';
import { SessionList } from './session-list.tsx';

let stop: () => Promise<void>;
let answer: number;
let asked: string[];

beforeEach(async () => {
  answer = 204;
  asked = [];
  ({ stop } = await startApi(({ method, path }) => {
    asked.push(`${method} ${path}`);
    if (path.endsWith('/sign-out-everywhere')) {
      return answer === 204 ? { status: 204 } : { status: answer, body: { message: 'Not now', code: 'unavailable' } };
    }
    return { status: 200, body: { data: [], total: 0, page: 1, totalPages: 1 } };
  }));
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

async function signOutEverywhere(): Promise<void> {
  render(<SessionList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(asked).not.toContain('POST /api/auth/sign-out-everywhere');
  await userEvent.click(question.getByRole('button', { name: 'Sign Out Everywhere' }));
  await waitFor(() => expect(asked).toContain('POST /api/auth/sign-out-everywhere'));
}

it('signs out everywhere after a question, here as by logging out, and is the same device to the next sign-in', async () => {
  keepDevice('this browser');
  await signOutEverywhere();
  await waitFor(() => expect(accessToken()).toBeNull());
  expect(hasLeft()).toBe(true);
  expect(knownDevice()).toEqual({ device: 'this browser' });
});

it('says that what was typed and not saved goes with it', async () => {
  const ada = aPerson('a');
  signInAs(ada);
  keepDraft(ada._id, 'project:new', 'half a project');
  render(<SessionList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  await screen.findByText(/What you typed here and have not saved or sent is lost/);
});

it('stays signed in where the server could not do it', async () => {
  answer = 503;
  await signOutEverywhere();
  expect(await screen.findByRole('alertdialog')).toBeTruthy();
  expect(accessToken()).toBe('a');
});
