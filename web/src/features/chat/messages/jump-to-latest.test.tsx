import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { JumpToLatest } from './jump-to-latest.tsx';

afterEach(cleanup);

function Log() {
  const log = useRef<HTMLElement>(null);
  const [isAtEnd, setAtEnd] = useState(false);
  return (
    <>
      {/* A jump to messages that are not loaded remounts the log. */}
      <section key={String(isAtEnd)} ref={log} tabIndex={-1} aria-label="Messages" />
      {!isAtEnd && <JumpToLatest unreadCount={0} log={log} onPress={() => setAtEnd(true)} />}
    </>
  );
}

it('focus moves to the log when the button to its end disappears', async () => {
  render(<Log />);
  await userEvent.click(screen.getByRole('button', { name: 'Jump to latest' }));
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }));
});
