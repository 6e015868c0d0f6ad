import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { startApi } from '#test/api-server.ts';
import { buildTask } from '#test/build-task.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { MessageCards } from './message-cards.tsx';

let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(() => ({ status: 200, body: buildTask('d') })));
});

afterEach(async () => {
  cleanup();
  await stop();
});

it('hiding the previews of a message, and showing them again, keeps focus there', async () => {
  const content = `${location.origin}/progress?task=${'d'.repeat(24)}`;
  render(<MessageCards message={{ _id: 'a'.repeat(24), content }} />, { wrapper: MemoryRouter });
  await userEvent.click(await screen.findByRole('button', { name: 'Hide previews' }));
  const show = screen.getByRole('button', { name: 'Show previews' });
  expect(document.activeElement).toBe(show);
  await userEvent.click(show);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Previews' })));
});
