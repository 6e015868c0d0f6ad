import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
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
  const destination = { conversation };
  const outgoing = { destination, content: 'a', files: [], clientMessageId: 'a', createdAt: message.createdAt };
  recordSent(me._id, outgoing, message);
  render(<Field />);
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  act(() => void jest.advanceTimersByTime(UNDO_MS));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('Message'));
});
