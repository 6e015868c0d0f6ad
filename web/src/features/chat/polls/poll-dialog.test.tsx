import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withNewest } from '../log/message-log.ts';
import { changeLog, logOf } from '../log/message-store.ts';
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

it('a sent poll is shown before its event arrives', async () => {
  const conversationId = 'c'.repeat(24);
  const poll = buildMessage(2, { type: 'poll', content: 'Lunch?' });
  const { stop } = await startApi(() => ({ status: 201, body: poll }));
  act(() =>
    changeLog(conversationId, (log) => withNewest(log, { data: [buildMessage(1)], hasMore: false, revision: 0 })),
  );
  render(
    <MemoryRouter>
      <PollDialog conversationId={conversationId} onClose={() => undefined} />
    </MemoryRouter>,
  );
  await userEvent.type(screen.getByRole('textbox', { name: /Question/ }), 'Lunch?');
  await userEvent.type(screen.getByRole('textbox', { name: 'Option 1' }), 'Yes');
  await userEvent.type(screen.getByRole('textbox', { name: 'Option 2' }), 'No');
  await userEvent.click(screen.getByRole('button', { name: 'Send poll' }));
  await waitFor(() => expect(logOf(conversationId).messages.map(({ content }) => content)).toContain('Lunch?'));
  await act(stop);
});
