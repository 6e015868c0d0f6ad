import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { CodeBlock } from './code-block.tsx';

afterEach(() => {
  cleanup();
  act(dismissToasts);
});

it('code that cannot be copied is selected, and a toast says how to copy it', async () => {
  act(() => signInAs(buildUser('a')));
  render(<CodeBlock code="let a = 1" language="js" />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy code' }));
  await waitFor(() => expect(currentToast()?.title).toBe('Failed to copy code'));
  expect(currentToast()?.description).toMatch(/Press Ctrl\+C/);
  expect(String(getSelection())).toBe('let a = 1');
});
