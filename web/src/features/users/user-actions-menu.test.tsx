import type { User } from '@atrium/proto-events/people';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { storeTokens } from '#lib/api/tokens.ts';
import { loadProfile } from '#lib/session/session.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { UserActionsMenu } from './user-actions-menu.tsx';

const maya = buildUser('a', { role: 'admin' });
const jonas = buildUser('b', { role: 'admin' });

let stop: () => Promise<void>;

beforeEach(async () => {
  ({ stop } = await startApi(() => ({ status: 200, body: maya })));
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
  await loadProfile();
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await loadProfile();
  await stop();
});

async function entriesFor(user: User): Promise<(string | null)[]> {
  render(
    <MemoryRouter>
      <UserActionsMenu user={user} canManage={true} onAction={() => undefined} />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${user.firstName} ${user.lastName}` }));
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
}

describe('user actions menu', () => {
  it('offers administrators a password reset link and signing out for other users', async () => {
    expect(await entriesFor(jonas)).toEqual([
      'View details',
      'Message',
      'Edit',
      'Password reset link',
      'Sign out everywhere',
      'Delete',
    ]);
  });

  it('offers no message to people who cannot sign in', async () => {
    expect(await entriesFor({ ...jonas, invited: true })).toEqual(['View details', 'Edit', 'Delete']);
  });

  it('offers neither a reset link nor signing out for the current user, who has both in the settings', async () => {
    expect(await entriesFor(maya)).toEqual(['View details', 'Edit', 'Delete']);
  });
});
