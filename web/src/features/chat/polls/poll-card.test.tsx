import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { PollCard } from './poll-card.tsx';

let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(() => ({ status: 200, body: buildMessage(1) })));
});

afterEach(async () => {
  cleanup();
  await stop();
});

it('closing a poll keeps focus in its card', async () => {
  const options = ['Yes', 'No'].map((text) => ({ id: text, text, count: 0, users: [] }));
  const poll = { question: 'Lunch?', options, multiple: false, anonymous: false, voterCount: 0, closedAt: null };
  render(<PollCard message={buildMessage(1, { poll })} poll={poll} isReadOnly={false} canClose />);
  await userEvent.click(screen.getByRole('button', { name: 'Close poll' }));
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Poll: Lunch?' }));
});
