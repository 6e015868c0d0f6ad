import '../../../test/browser-gaps.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ComboBox } from '../fields/combo-box.tsx';
import { showError } from './toast.ts';
import { Toaster } from './toaster.tsx';

afterEach(cleanup);

async function tellOverTheField(): Promise<HTMLElement> {
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

describe('dismissing a message', () => {
  it('leaves the focus in the field, whose list stays closed', async () => {
    const field = await tellOverTheField();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('It failed')).toBeNull();
    expect(document.activeElement).toBe(field);
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});
