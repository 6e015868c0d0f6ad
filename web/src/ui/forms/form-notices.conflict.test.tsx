import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Select } from '../fields/select.tsx';
import { TextField } from '../fields/text-field.tsx';
import { DialogBody } from '../overlays/dialog-parts.ts';
import { ConflictNotice } from './form-notices.tsx';

afterEach(cleanup);

const PLACES = [
  { value: 'here', label: 'Here' },
  { value: 'there', label: 'There' },
];

function Form({ isSelectFirst }: { isSelectFirst: boolean }) {
  const [isOpen, setOpen] = useState(true);
  const [name, setName] = useState('Mine');
  const close = () => setOpen(false);
  const takeTheirs = () => {
    setName('Theirs');
    close();
  };
  return (
    <form>
      <DialogBody>
        {isOpen && (
          <ConflictNotice
            fields={[{ label: 'Name', yours: 'Mine', theirs: 'Theirs' }]}
            onKeepMine={close}
            onTakeTheirs={takeTheirs}
          />
        )}
        {isSelectFirst && <Select label="Place" options={PLACES} value="here" onChange={() => undefined} />}
        <TextField label="Name" value={name} onChange={setName} />
      </DialogBody>
    </form>
  );
}

describe('the conflict notice', () => {
  it.each([
    ['Keep mine', 'Mine'],
    ['Take theirs', 'Theirs'],
  ])('moves focus to the first field after "%s", by mouse and by keyboard', async (choice, value) => {
    for (const press of [userEvent.click, byKeyboard]) {
      const { unmount } = render(<Form isSelectFirst={false} />);
      await press(screen.getByRole('button', { name: choice }));
      expect(screen.queryByRole('alert')).toBeNull();
      const field = screen.getByLabelText<HTMLInputElement>('Name');
      expect(document.activeElement).toBe(field);
      expect(field.value).toBe(value);
      unmount();
    }
  });

  it('keeps the column order for right-to-left values', () => {
    render(
      <ConflictNotice
        fields={[{ label: 'Name', yours: 'דנה לוי', theirs: 'Dana' }]}
        onKeepMine={() => undefined}
        onTakeTheirs={() => undefined}
      />,
    );
    expect(screen.getAllByRole('cell').map((cell) => cell.getAttribute('dir'))).toEqual([null, null]);
    expect(screen.getByText('דנה לוי').tagName).toBe('BDI');
  });

  it('works in browsers whose scrollIntoView returns a promise', async () => {
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = () => Promise.resolve();
    try {
      render(<Form isSelectFirst={false} />);
      await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mine');
    } finally {
      Element.prototype.scrollIntoView = scrollIntoView;
    }
  });

  it('moves focus to a select that is the first field', async () => {
    render(<Form isSelectFirst />);
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /Place/ }));
  });
});

async function byKeyboard(button: HTMLElement): Promise<void> {
  act(() => button.focus());
  await userEvent.keyboard('{Enter}');
}
