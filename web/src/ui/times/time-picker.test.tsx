import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TimePicker } from './time-picker.tsx';

afterEach(cleanup);

function Form({ initial = '', after, isDayEnd = false }: { initial?: string; after?: string; isDayEnd?: boolean }) {
  const [value, setValue] = useState(initial);
  return (
    <form>
      <TimePicker
        label="Start time"
        value={value}
        onChange={setValue}
        after={after}
        isDayEnd={isDayEnd}
        error={value ? undefined : 'Start time is required'}
      />
      <output>{value}</output>
      <button type="button" onClick={() => setValue('17:15')}>
        Set 17:15
      </button>
    </form>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Start time/ });
const formValue = () => screen.getByRole('status', { hidden: true }).textContent;
const optionTexts = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

async function type(text: string): Promise<void> {
  await userEvent.clear(field());
  await userEvent.type(field(), text);
}

describe('a typed time', () => {
  it('is parsed in common notations, on blur', async () => {
    render(<Form initial="10:00" />);
    await type('2:30 pm');
    expect(formValue()).toBe('10:00');
    await userEvent.tab();
    expect([formValue(), field().value]).toEqual(['14:30', '2:30 PM']);
  });

  it('is offered up to the end of the day, which is midnight on a 12-hour clock', async () => {
    render(<Form initial="09:00" isDayEnd />);
    await type('11:30 pm');
    expect(optionTexts()).toEqual(['11:30 PM', '12:00 AM']);
    await userEvent.click(screen.getByRole('option', { name: '12:00 AM' }));
    expect([formValue(), field().value]).toEqual(['24:00', '12:00 AM']);
  });

  it('is parsed on Enter, and as the half of the day after the start time', async () => {
    render(<Form initial="10:00" after="14:00" />);
    await type('3');
    await userEvent.keyboard('{Enter}');
    expect([formValue(), field().value]).toEqual(['15:00', '3:00 PM']);
  });

  it('is offered with the half hours after it, even between half hours', async () => {
    render(<Form />);
    await type('9:15');
    expect(optionTexts().slice(0, 3)).toEqual(['9:15 AM', '9:30 AM', '10:00 AM']);
    await userEvent.click(screen.getByRole('option', { name: '10:00 AM' }));
    expect([formValue(), field().value]).toEqual(['10:00', '10:00 AM']);
  });

  it('is kept with an error when it is invalid, and the form value is empty', async () => {
    render(<Form initial="10:00" />);
    await type('soon');
    await userEvent.tab();
    expect([formValue(), field().value]).toEqual(['', 'soon']);
    expect(screen.getByText('Type a time, such as 9, 14:30 or 2pm')).toBeTruthy();
    await type('9');
    await userEvent.tab();
    expect([formValue(), field().value]).toEqual(['09:00', '9:00 AM']);
    expect(screen.queryByText(/Type a time/)).toBeNull();
  });

  it('is replaced by a new form value, and cleared when that is empty', async () => {
    render(<Form initial="10:00" />);
    await userEvent.click(screen.getByRole('button', { name: 'Set 17:15' }));
    expect(field().value).toBe('5:15 PM');
    await userEvent.clear(field());
    await userEvent.tab();
    expect([formValue(), field().value]).toEqual(['', '']);
    expect(screen.getByText('Start time is required')).toBeTruthy();
  });
});
