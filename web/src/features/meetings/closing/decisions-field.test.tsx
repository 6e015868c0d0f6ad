import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { DecisionsField, EMPTY_DECISION } from './decisions-field.tsx';

afterEach(cleanup);

function Field() {
  const [value, onChange] = useState([EMPTY_DECISION, EMPTY_DECISION, EMPTY_DECISION]);
  return <DecisionsField value={value} onChange={onChange} people={[]} error={undefined} />;
}

it('decisions field moves focus to the next row, the previous one, or the add button when a decision is removed', async () => {
  render(<Field />);
  for (const [removed, next] of [
    ['Remove decision 2', 'Remove decision 2'],
    ['Remove decision 2', 'Remove decision 1'],
    ['Remove decision 1', 'Add decision'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name: removed }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: next })));
  }
  expect(screen.queryAllByRole('listitem')).toHaveLength(0);
});
