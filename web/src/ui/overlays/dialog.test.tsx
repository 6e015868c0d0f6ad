import '../../../test/browser-gaps.ts';
import '../../../test/patience.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { useUnsavedChanges } from '../../lib/forms/unsaved-changes.tsx';
import { Button } from '../button.tsx';
import { FormFoot } from '../form-foot.tsx';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem } from './menu.tsx';

afterEach(cleanup);

function NoteForm() {
  const [text, setText] = useState('');
  useUnsavedChanges(text !== '');
  return (
    <form>
      <label>
        Note <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <FormFoot action="Save" isBusy={false} />
    </form>
  );
}

function Page() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return <p>Closed</p>;
  return (
    <Dialog isOpen onClose={() => setOpen(false)} title="A note">
      <NoteForm />
    </Dialog>
  );
}

const question = () => screen.queryByRole('alertdialog', { name: 'Discard changes?' });

describe('a dialog', () => {
  it('closes at once while nothing was changed', async () => {
    render(<Page />);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('Closed')).toBeTruthy();
  });

  it.each([
    ['Esc', () => userEvent.keyboard('{Escape}')],
    ['the ✕', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
    ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('asks on %s once something was typed, and keeps it', async (_way, close) => {
    render(<Page />);
    await userEvent.type(screen.getByLabelText('Note'), 'Milk');
    await close();
    expect(question()).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(question()).toBeNull();
    await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Milk');
    await close();
    await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(screen.getByText('Closed')).toBeTruthy();
  });
});

describe('an overlay that is not in the address', () => {
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
