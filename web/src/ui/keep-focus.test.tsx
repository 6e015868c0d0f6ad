import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { keepFocus } from './keep-focus.ts';

afterEach(cleanup);

function Rows() {
  const [rows, setRows] = useState(['First', 'Second', 'Third']);
  return (
    <>
      <section ref={keepFocus} tabIndex={-1} aria-label="Rows">
        {rows.length === 0 ? (
          <p>None</p>
        ) : (
          <ul>
            {rows.map((row) => (
              <li key={row}>
                <button type="button" onClick={() => setRows(rows.filter((other) => other !== row))}>
                  {row}
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <button type="button" onClick={() => setRows([])}>
        Clear
      </button>
    </>
  );
}

it('focus moves from a removed row to the next one, the previous one, and at last to the list', async () => {
  render(<Rows />);
  for (const [removed, focused] of [
    ['Second', 'Third'],
    ['Third', 'First'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name: removed }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: focused })));
  }
  await userEvent.click(screen.getByRole('button', { name: 'First' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Rows' })));
});

it('focus stays where it is if a row without it is removed', async () => {
  render(<Rows />);
  act(() => screen.getByRole('button', { name: 'First' }).focus());
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Clear' }));
});
