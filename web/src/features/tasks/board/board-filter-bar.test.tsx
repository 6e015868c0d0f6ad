import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { BoardFilterBar, DEFAULT_FILTERS } from './board-filter-bar.tsx';

afterEach(cleanup);

function Bar() {
  const [filters, setFilters] = useState({ ...DEFAULT_FILTERS, priority: 'high' });
  return (
    <BoardFilterBar assignees={[]} filters={filters} onChange={(changes) => setFilters({ ...filters, ...changes })} />
  );
}

it('board filter bar moves focus to the search after "Clear filters", which removes its own button', async () => {
  render(<Bar />);
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});
