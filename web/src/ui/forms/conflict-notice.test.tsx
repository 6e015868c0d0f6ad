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

function Form({ isChoiceFirst }: { isChoiceFirst: boolean }) {
  const [isOpen, setOpen] = useState(true);
  const [name, setName] = useState('Mine');
  const settle = () => setOpen(false);
  const take = () => {
    setName('Theirs');
    settle();
  };
  return (
    <form>
      <DialogBody>
        {isOpen && (
          <ConflictNotice
            fields={[{ label: 'Name', yours: 'Mine', theirs: 'Theirs' }]}
            onKeepMine={settle}
            onTakeTheirs={take}
          />
        )}
        {isChoiceFirst && <Select label="Place" options={PLACES} value="here" onChange={() => undefined} />}
        <TextField label="Name" value={name} onChange={setName} />
      </DialogBody>
    </form>
  );
}

describe('the conflict notice', () => {
  it.each([
    ['Keep mine', 'Mine'],
    ['Take theirs', 'Theirs'],
  ])('moves the focus to the first field after "%s", by mouse and by keyboard', async (choice, value) => {
    for (const press of [userEvent.click, byKeyboard]) {
      const { unmount } = render(<Form isChoiceFirst={false} />);
      await press(screen.getByRole('button', { name: choice }));
      expect(screen.queryByRole('alert')).toBeNull();
      const field = screen.getByLabelText<HTMLInputElement>('Name');
      expect(document.activeElement).toBe(field);
      expect(field.value).toBe(value);
      unmount();
    }
  });

  it('keeps the sides of its columns, whatever the direction of a value', () => {
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
      render(<Form isChoiceFirst={false} />);
      await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mine');
    } finally {
      Element.prototype.scrollIntoView = scrollIntoView;
    }
  });

  it('moves the focus to a choice that is the first field', async () => {
    render(<Form isChoiceFirst />);
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /Place/ }));
  });
});

async function byKeyboard(button: HTMLElement): Promise<void> {
  act(() => button.focus());
  await userEvent.keyboard('{Enter}');
}
