import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { accessToken } from '#lib/api/tokens.ts';
import { blockUnload, onLeaveRequest } from '#lib/forms/unsaved-changes.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { AccountMenu } from './account-menu.tsx';

const user = buildUser('a');
let stop: () => Promise<void>;
let stopCounting: () => void;
let confirmations: number;

beforeEach(async () => {
  localStorage.clear();
  confirmations = 0;
  stopCounting = onLeaveRequest(() => {
    confirmations += 1;
  });
  ({ stop } = await startApi(() => ({ status: 204 })));
  act(() => signInAs(user));
});

afterEach(async () => {
  cleanup();
  stopCounting();
  localStorage.clear();
  await stop();
});

function show(): HTMLElement {
  render(
    <MemoryRouter>
      <AccountMenu user={user} />
    </MemoryRouter>,
  );
  return screen.getByRole('button', { name: /account/ });
}

async function logOut(): Promise<void> {
  await userEvent.click(show());
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }));
}

describe('the account menu', () => {
  it('opens with an arrow key, and returns focus to its button when it is closed', async () => {
    const trigger = show();
    await userEvent.tab();
    await userEvent.keyboard('{ArrowDown}');
    const item = await screen.findByRole('menuitem', { name: 'Account Settings' });
    await waitFor(() => expect(document.activeElement).toBe(item));
    expect(trigger.getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(trigger));
  });
});

describe('logging out', () => {
  it('asks for confirmation during an upload', async () => {
    const unblock = blockUnload();
    await logOut();
    unblock();
    expect(confirmations).toBe(1);
    expect(accessToken()).not.toBeNull();
  });

  it('does not ask when nothing is lost', async () => {
    await logOut();
    await waitFor(() => expect(accessToken()).toBeNull());
    expect(confirmations).toBe(0);
  });
});
