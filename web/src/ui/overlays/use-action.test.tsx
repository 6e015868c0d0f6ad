import '../../../test/browser-gaps.ts';
import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Toaster } from './toaster.tsx';
import { useAction } from './use-action.ts';

afterEach(() => {
  dismissToasts();
  cleanup();
});

/** Writes that end when the test says so. */
function hanging() {
  const begun: { id: string; end: () => void; fail: (error: Error) => void }[] = [];
  const write = (id: string) => new Promise<void>((end, fail) => begun.push({ id, end, fail }));
  return { begun, write };
}

it('does for a row once at a time, and for others beside it', async () => {
  const { begun, write } = hanging();
  const { result } = renderHook(() => useAction(write, 'Failed to send invitation'));
  act(() => {
    void result.current.run('ada');
    void result.current.run('ada');
    void result.current.run('lin');
  });
  expect(begun.map(({ id }) => id)).toEqual(['ada', 'lin']);
  expect(result.current.inFlight).toEqual(['ada', 'lin']);
  act(() => begun[0]?.end());
  await waitFor(() => expect(result.current.inFlight).toEqual(['lin']));
  expect(result.current.isBusy).toBe(true);
  act(() => begun[1]?.end());
  await waitFor(() => expect(result.current.isBusy).toBe(false));
});

it('says why it failed, and can be tried again', async () => {
  const { begun, write } = hanging();
  render(<Toaster />);
  const { result } = renderHook(() => useAction(write, 'Failed to send invitation'));
  act(() => void result.current.run('ada'));
  act(() => begun[0]?.fail(new Error('The mail server is away')));
  expect(await screen.findByText('The mail server is away')).toBeTruthy();
  await waitFor(() => expect(result.current.isBusy).toBe(false));
  expect(result.current.failure?.reason).toBe('The mail server is away');
  act(() => void result.current.run('ada'));
  expect(begun).toHaveLength(2);
  expect(result.current.failure).toBeUndefined();
});

it('keeps the reason in a question after its message has gone, until the next press', async () => {
  const { begun, write } = hanging();
  render(
    <ConfirmDialog
      isOpen
      onClose={() => undefined}
      onConfirm={() => write('ada')}
      title="Remove"
      action="Go"
      failure="-"
    >
      Sure?
    </ConfirmDialog>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  act(() => begun[0]?.fail(new Error('The mail server is away')));
  await screen.findByText('The mail server is away');
  act(() => dismissToasts());
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  expect(screen.queryByText('The mail server is away')).toBeNull();
});

it('opens without the failure of an earlier visit', async () => {
  const { begun, write } = hanging();
  const ask = (isOpen: boolean) => (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => undefined}
      onConfirm={() => write('ada')}
      title="Remove"
      action="Go"
      failure="-"
    >
      Sure?
    </ConfirmDialog>
  );
  const { rerender } = render(ask(true));
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  act(() => begun[0]?.fail(new Error('The mail server is away')));
  await screen.findByText('The mail server is away');
  rerender(ask(false));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  rerender(ask(true));
  await screen.findByRole('alertdialog');
  expect(screen.queryByText('The mail server is away')).toBeNull();
});
