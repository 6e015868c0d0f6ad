import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ComboBox } from '../fields/combo-box.tsx';
import { showError, showUndoable } from './toast.ts';
import { Toaster } from './toaster.tsx';

afterEach(cleanup);

async function showOverTheField(): Promise<HTMLElement> {
  const options = [{ value: 'ada', label: 'Ada Admin' }];
  render(
    <>
      <ComboBox label="Manager" options={options} value="ada" onChange={() => undefined} />
      <Toaster />
    </>,
  );
  const field = screen.getByRole('combobox', { name: 'Manager' });
  await userEvent.click(field);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  act(() => showError('Error', 'It failed'));
  return field;
}

describe('a dismissed toast', () => {
  it('leaves focus in the field, whose list stays closed', async () => {
    const field = await showOverTheField();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('It failed')).toBeNull();
    expect(document.activeElement).toBe(field);
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});

describe('a toast with undo', () => {
  it('is reached with F6 and restores focus after undoing', async () => {
    const undoneMoves: string[] = [];
    render(
      <>
        <button type="button">Before</button>
        <Toaster />
      </>,
    );
    screen.getByRole('button', { name: 'Before' }).focus();
    act(() => void showUndoable('Moved', () => undoneMoves.push('moved')));
    await userEvent.keyboard('{F6}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo' }));
    await userEvent.keyboard('{Enter}');
    expect(undoneMoves).toEqual(['moved']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Before' }));
  });

  it('is replaced by a newer one, and disappears after undoing', async () => {
    const undoneMoves: string[] = [];
    render(<Toaster />);
    act(() => void showUndoable('First moved', () => undoneMoves.push('first')));
    act(() => void showUndoable('Second moved', () => undoneMoves.push('second')));
    expect(screen.queryByText('First moved')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undoneMoves).toEqual(['second']);
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
