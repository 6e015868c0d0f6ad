import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TimePicker } from './time-picker.tsx';

afterEach(cleanup);

function Form({ start = '', after, isDayEnd = false }: { start?: string; after?: string; isDayEnd?: boolean }) {
  const [value, setValue] = useState(start);
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
        Another
      </button>
    </form>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Start time/ });
const inForm = () => screen.getByRole('status', { hidden: true }).textContent;
const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

async function type(text: string): Promise<void> {
  await userEvent.clear(field());
  await userEvent.type(field(), text);
}

describe('a typed time', () => {
  it('is parsed in common notations, on blur', async () => {
    render(<Form start="10:00" />);
    await type('2:30 pm');
    expect(inForm()).toBe('10:00');
    await userEvent.tab();
    expect([inForm(), field().value]).toEqual(['14:30', '2:30 PM']);
  });

  it('is offered up to the end of the day, which is midnight on a 12-hour clock', async () => {
    render(<Form start="09:00" isDayEnd />);
    await type('11:30 pm');
    expect(offered()).toEqual(['11:30 PM', '12:00 AM']);
    await userEvent.click(screen.getByRole('option', { name: '12:00 AM' }));
    expect([inForm(), field().value]).toEqual(['24:00', '12:00 AM']);
  });

  it('is parsed on Enter, too, and after a start time as the later half of the day', async () => {
    render(<Form start="10:00" after="14:00" />);
    await type('3');
    await userEvent.keyboard('{Enter}');
    expect([inForm(), field().value]).toEqual(['15:00', '3:00 PM']);
  });

  it('is offered with the half hours after it, also off the grid', async () => {
    render(<Form />);
    await type('9:15');
    expect(offered().slice(0, 3)).toEqual(['9:15 AM', '9:30 AM', '10:00 AM']);
    await userEvent.click(screen.getByRole('option', { name: '10:00 AM' }));
    expect([inForm(), field().value]).toEqual(['10:00', '10:00 AM']);
  });

  it('is kept with an error when it is invalid, and the form value is empty', async () => {
    render(<Form start="10:00" />);
    await type('soon');
    await userEvent.tab();
    expect([inForm(), field().value]).toEqual(['', 'soon']);
    expect(screen.getByText('Type a time, such as 9, 14:30 or 2pm')).toBeTruthy();
    await type('9');
    await userEvent.tab();
    expect([inForm(), field().value]).toEqual(['09:00', '9:00 AM']);
    expect(screen.queryByText(/Type a time/)).toBeNull();
  });

  it('is replaced by a new form value, and cleared when that is empty', async () => {
    render(<Form start="10:00" />);
    await userEvent.click(screen.getByRole('button', { name: 'Another' }));
    expect(field().value).toBe('5:15 PM');
    await userEvent.clear(field());
    await userEvent.tab();
    expect([inForm(), field().value]).toEqual(['', '']);
    expect(screen.getByText('Start time is required')).toBeTruthy();
  });
});
