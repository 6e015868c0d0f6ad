import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Toaster } from './toaster.tsx';
import { useAction } from './use-action.ts';

afterEach(() => {
  dismissToasts();
  cleanup();
});

/** Creates requests that the test completes. */
function createRequests() {
  const requests: { id: string; end: () => void; fail: (error: Error) => void }[] = [];
  const write = (id: string) => new Promise<void>((end, fail) => requests.push({ id, end, fail }));
  return { requests, write };
}

it('useAction runs once at a time per row, and concurrently for different rows', async () => {
  const { requests, write } = createRequests();
  const { result } = renderHook(() => useAction(write, 'Failed to send invitation'));
  act(() => {
    void result.current.run('ada');
    void result.current.run('ada');
    void result.current.run('lin');
  });
  expect(requests.map(({ id }) => id)).toEqual(['ada', 'lin']);
  expect(result.current.inFlight).toEqual(['ada', 'lin']);
  act(() => requests[0]?.end());
  await waitFor(() => expect(result.current.inFlight).toEqual(['lin']));
  expect(result.current.isBusy).toBe(true);
  act(() => requests[1]?.end());
  await waitFor(() => expect(result.current.isBusy).toBe(false));
});

it('useAction shows why it failed, and can be retried', async () => {
  const { requests, write } = createRequests();
  render(<Toaster />);
  const { result } = renderHook(() => useAction(write, 'Failed to send invitation'));
  act(() => void result.current.run('ada'));
  act(() => requests[0]?.fail(new Error('The mail server is unavailable')));
  expect(await screen.findByText('The mail server is unavailable')).toBeTruthy();
  await waitFor(() => expect(result.current.isBusy).toBe(false));
  expect(result.current.failure?.reason).toBe('The mail server is unavailable');
  act(() => void result.current.run('ada'));
  expect(requests).toHaveLength(2);
  expect(result.current.failure).toBeUndefined();
});

it('a confirmation keeps the reason after the toast has disappeared, until the next press', async () => {
  const { requests, write } = createRequests();
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
  act(() => requests[0]?.fail(new Error('The mail server is unavailable')));
  await screen.findByText('The mail server is unavailable');
  act(() => dismissToasts());
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  expect(screen.queryByText('The mail server is unavailable')).toBeNull();
});

it('a confirmation opens without an earlier failure', async () => {
  const { requests, write } = createRequests();
  const renderConfirmation = (isOpen: boolean) => (
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
  const { rerender } = render(renderConfirmation(true));
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  act(() => requests[0]?.fail(new Error('The mail server is unavailable')));
  await screen.findByText('The mail server is unavailable');
  rerender(renderConfirmation(false));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  rerender(renderConfirmation(true));
  await screen.findByRole('alertdialog');
  expect(screen.queryByText('The mail server is unavailable')).toBeNull();
});
