import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { PollCard } from './poll-card.tsx';

let requests: string[] = [];
let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  requests = [];
  ({ stop } = await startApi(({ method, path }) => {
    requests.push(`${method} ${path}`);
    return { status: 200, body: buildMessage(1) };
  }));
});

const withRouter = { wrapper: MemoryRouter };

afterEach(async () => {
  cleanup();
  await stop();
});

it('closing a poll asks first, and keeps focus in its card', async () => {
  const options = ['Yes', 'No'].map((text) => ({ id: text, text, count: 0, users: [] }));
  const poll = { question: 'Lunch?', options, multiple: false, anonymous: false, voterCount: 0, closedAt: null };
  const message = buildMessage(1, { poll });
  const path = `/api/chat/messages/${message._id}/poll/close`;
  const { rerender } = render(<PollCard message={message} poll={poll} isReadOnly={false} canClose />, withRouter);
  await userEvent.click(screen.getByRole('button', { name: 'Close poll' }));
  const question = await screen.findByRole('alertdialog', { name: 'Close this poll?' });
  expect(requests).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Close poll' }));
  await waitFor(() => expect(requests).toEqual([`POST ${path}`]));
  const closedPoll = { ...poll, closedAt: message.createdAt };
  rerender(<PollCard message={message} poll={closedPoll} isReadOnly={false} canClose />);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Poll: Lunch?' })));
});
