import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { AgendaField } from './agenda-field.tsx';
import type { AgendaValues } from './meeting-values.ts';

afterEach(cleanup);

const item = (title: string): AgendaValues => ({ title, minutes: 10, who: '' });

function Field({ titles }: { titles: string[] }) {
  const [value, onChange] = useState(() => titles.map(item));
  return (
    <>
      <AgendaField value={value} onChange={onChange} people={[]} startTime={undefined} error={undefined} />
      <output>{value.map(({ title, minutes }) => `${title} ${minutes}`).join(', ')}</output>
    </>
  );
}

const getMinutesField = (position: number) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: `Duration of item ${position} in minutes` });
const order = () => screen.getByRole('status').textContent;

it('agenda field moves an agenda item with the minutes still being typed', async () => {
  render(<Field titles={['Welcome', 'Budget', 'Plans']} />);
  await userEvent.clear(getMinutesField(2));
  await userEvent.type(getMinutesField(2), '25');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(order()).toBe('Budget 25, Welcome 10, Plans 10'));
  await userEvent.clear(getMinutesField(1));
  await userEvent.type(getMinutesField(1), '5');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await waitFor(() => expect(order()).toBe('Welcome 10, Budget 5, Plans 10'));
});

it('agenda field keeps agenda items apart after moving, removing, and adding some', async () => {
  render(<Field titles={['Welcome', 'Budget', 'Plans']} />);
  await userEvent.click(screen.getByRole('button', { name: 'Move item 3 up' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove item 1' }));
  expect(order()).toBe('Plans 10, Budget 10');
  await userEvent.click(screen.getByRole('button', { name: 'Add agenda item' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add agenda item' }));
  await userEvent.clear(getMinutesField(4));
  await userEvent.type(getMinutesField(4), '5');
  await userEvent.tab();
  expect(order()).toBe('Plans 10, Budget 10,  10,  5');
  expect([1, 2, 3, 4].map((position) => getMinutesField(position).value)).toEqual(['10', '10', '10', '5']);
});
