import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { recordSent, UNDO_MS, useSentMessage } from './sent-messages.ts';
import { UndoSendButton } from './undo-send-button.tsx';

const me = buildUser('a');
const message = buildMessage(1);
const { conversation } = message;

beforeEach(() => {
  jest.useFakeTimers();
  act(() => signInAs(me));
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const outgoing = {
  destination: { conversation },
  content: 'a',
  files: [],
  clientMessageId: 'a',
  createdAt: message.createdAt,
};

function Field() {
  const field = useRef<HTMLTextAreaElement>(null);
  const sent = useSentMessage(conversation);
  return (
    <>
      <textarea ref={field} aria-label="Message" />
      {sent && <UndoSendButton logId={conversation} sent={sent} field={field} />}
    </>
  );
}

it('returns focus to the field when the button disappears', () => {
  recordSent(me._id, outgoing, message);
  render(<Field />);
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  act(() => void jest.advanceTimersByTime(UNDO_MS));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('Message'));
});

it('the offer expires while no composer shows it', () => {
  recordSent(me._id, outgoing, message);
  jest.advanceTimersByTime(UNDO_MS);
  render(<Field />);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('the offer stays if undoing fails', async () => {
  jest.useRealTimers();
  const body = { message: 'Not now', code: 'forbidden', requestId: 'r' };
  const { stop } = await startApi(() => ({ status: 403, body }));
  recordSent(me._id, outgoing, message);
  render(<Field />);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(currentToast()?.description).toBe('Not now'));
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  await act(stop);
});
