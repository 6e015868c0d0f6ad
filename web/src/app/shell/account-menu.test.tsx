import '../../../test/browser-gaps.ts';
import '../../../test/retry-timeouts.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { buildUser } from '../../../test/a-person.ts';
import { startApi } from '../../../test/api-server.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { blockUnload, onLeaveRequest } from '../../lib/forms/navigation-blocker.ts';
import { accessToken } from '../../lib/session/tokens.ts';
import { AccountMenu } from './account-menu.tsx';

const ada = buildUser('a');
let stop: () => Promise<void>;
let stopAsking: () => void;
let asked: number;

beforeEach(async () => {
  localStorage.clear();
  asked = 0;
  stopAsking = onLeaveRequest(() => {
    asked += 1;
  });
  ({ stop } = await startApi(() => ({ status: 204 })));
  act(() => signInAs(ada));
});

afterEach(async () => {
  cleanup();
  stopAsking();
  localStorage.clear();
  await stop();
});

async function logOut(): Promise<void> {
  render(
    <MemoryRouter>
      <AccountMenu user={ada} />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: /account/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }));
}

describe('logging out', () => {
  it('asks while a file is on its way up', async () => {
    const letGo = blockUnload();
    await logOut();
    letGo();
    expect(asked).toBe(1);
    expect(accessToken()).not.toBeNull();
  });

  it('asks nothing where nothing is lost', async () => {
    await logOut();
    await waitFor(() => expect(accessToken()).toBeNull());
    expect(asked).toBe(0);
  });
});
