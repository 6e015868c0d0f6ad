import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { Button } from '../button.tsx';
import { FormFooter } from '../forms/form-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem } from './menu.tsx';

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

function TextForm() {
  const [text, setText] = useState('');
  useUnsavedChanges(text !== '');
  return (
    <form>
      <label>
        Note <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <FormFooter action="Save" isBusy={false} />
    </form>
  );
}

function Page() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return <p>Closed</p>;
  return (
    <Dialog isOpen onClose={() => setOpen(false)} title="A note">
      <TextForm />
    </Dialog>
  );
}

const confirmation = () => screen.queryByRole('alertdialog', { name: 'Discard changes?' });

describe('a dialog', () => {
  it('closes immediately while nothing was changed', async () => {
    render(<Page />);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('Closed')).toBeTruthy();
  });

  it.each([
    ['Esc', () => userEvent.keyboard('{Escape}')],
    ['the ✕', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
    ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('asks for confirmation on %s while it has changes, and keeps the input', async (_label, close) => {
    render(<Page />);
    await userEvent.type(screen.getByLabelText('Note'), 'Milk');
    await close();
    expect(confirmation()).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(confirmation()).toBeNull();
    await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Milk');
    await close();
    await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(screen.getByText('Closed')).toBeTruthy();
  });
});

function Team() {
  const [leaving, setLeaving] = useState<string>();
  const close = () => setLeaving(undefined);
  return (
    <Dialog isOpen onClose={() => undefined} title="Team">
      {['Lena', 'Omar'].map((name) => (
        <Button key={name} onPress={() => setLeaving(name)}>{`Remove ${name}`}</Button>
      ))}
      {leaving && (
        <ConfirmDialog isOpen onClose={close} onConfirm={async () => close()} title="Remove" action="Yes" failure="No">
          Sure?
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

it('a confirmation over a dialog restores focus to the button that opened it', async () => {
  // React Aria focuses a dialog again half a second after it opened, if nothing else has focus at that moment.
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  render(<Team />);
  await user.click(screen.getByRole('button', { name: 'Remove Omar' }));
  await screen.findByRole('alertdialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Remove Omar'));
});

describe('an overlay that is not in the URL', () => {
  it.each(['dialog', 'menu'])('is closed by Back: a %s', async (role) => {
    const router = createMemoryRouter([{ path: '/', element: <Overlays /> }], {
      initialEntries: ['/?page=1', '/?page=2'],
    });
    render(<RouterProvider router={router} />);
    await userEvent.click(screen.getByRole('button', { name: `Open ${role}` }));
    await screen.findByRole(role);
    await act(() => router.navigate(-1));
    await waitFor(() => expect(screen.queryByRole(role)).toBeNull());
  });
});

describe('an overlay in the URL', () => {
  const renderDesk = () => {
    const router = createMemoryRouter([{ path: '/', element: <Desk /> }], { initialEntries: ['/'] });
    render(<RouterProvider router={router} />);
    return router;
  };

  it('follows Back and Forward', async () => {
    const router = renderDesk();
    await act(() => router.navigate('/?letter=one'));
    await act(() => router.navigate('/?letter=two'));
    await screen.findByRole('dialog', { name: 'Letter two' });
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('dialog', { name: 'Letter one' })).toBeTruthy();
    await act(() => router.navigate(1));
    expect(await screen.findByRole('dialog', { name: 'Letter two' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('replaces an overlay that is not in the URL on Forward', async () => {
    const router = renderDesk();
    await act(() => router.navigate('/?letter=one'));
    await screen.findByRole('dialog', { name: 'Letter one' });
    await act(() => router.navigate(-1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Open dialog' }));
    await screen.findByRole('dialog', { name: 'A note' });
    await act(() => router.navigate(1));
    await screen.findByRole('dialog', { name: 'Letter one' });
    expect(screen.queryByRole('dialog', { name: 'A note', hidden: true })).toBeNull();
  });
});

function Desk() {
  const { opened, close } = useOverlayHistory('letter');
  return (
    <>
      <Overlays />
      {opened && (
        <Dialog isOpen onClose={close} title={`Letter ${opened.id}`}>
          <p>Text</p>
        </Dialog>
      )}
    </>
  );
}

function Overlays() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Open dialog</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="A note">
        <p>Text</p>
      </Dialog>
      <Menu label="More" trigger={<Button>Open menu</Button>}>
        <MenuItem onAction={() => undefined}>Rename</MenuItem>
      </Menu>
    </>
  );
}
