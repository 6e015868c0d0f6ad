import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { PollDialog } from './poll-dialog.tsx';

const { randomUUID } = crypto;

beforeEach(() => act(() => signInAs(buildUser('a'))));
afterEach(() => {
  cleanup();
  crypto.randomUUID = randomUUID;
});

it('a poll dialog opens on a page without HTTPS, and asks before it discards a poll', async () => {
  Object.assign(crypto, { randomUUID: undefined });
  let closeCount = 0;
  render(
    <MemoryRouter>
      <PollDialog conversationId={'c'.repeat(24)} onClose={() => (closeCount += 1)} />
    </MemoryRouter>,
  );
  await userEvent.type(screen.getByRole('textbox', { name: /Question/ }), 'Lunch?');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('alertdialog')).toBeTruthy();
  expect(closeCount).toBe(0);
});
