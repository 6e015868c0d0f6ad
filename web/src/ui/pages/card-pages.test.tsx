import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { CardPages } from './card-pages.tsx';

afterEach(cleanup);

type Dish = { _id: string; name: string };
type DishQuery = ComponentProps<typeof CardPages<Dish>>['query'];

/** Renders the query and returns the recorded presses. */
function renderPage(query: Partial<DishQuery>): (string | number)[] {
  const presses: (string | number)[] = [];
  render(
    <CardPages<Dish>
      query={{ isValidating: false, isLoading: false, mutate: async () => presses.push('retry'), ...query }}
      list="dishes"
      card={({ name }) => name}
      skeletons="Loading"
      none="No dishes yet"
      failure="Failed to load dishes"
      onPage={(page) => presses.push(page)}
    />,
  );
  return presses;
}

const page = { data: [{ _id: 'a', name: 'Soup' }], page: 1, totalPages: 1, total: 1 };

describe('a page of cards', () => {
  it('shows skeletons until the first response', () => {
    renderPage({});
    expect(screen.getByText('Loading')).toBeTruthy();
  });

  it('offers other pages only when there are several', async () => {
    renderPage({ data: page });
    expect(screen.getByRole('listitem').textContent).toBe('Soup');
    expect(screen.queryByRole('navigation')).toBeNull();
    cleanup();
    const presses = renderPage({ data: { ...page, totalPages: 2, total: 2 } });
    await userEvent.click(screen.getByRole('button', { name: 'Page 2' }));
    expect(presses).toEqual([2]);
  });

  it('distinguishes an empty list from an empty page, and turns to the last page', () => {
    renderPage({ data: { ...page, data: [], totalPages: 0, total: 0 } });
    expect(screen.getByText('No dishes yet')).toBeTruthy();
    cleanup();
    const presses = renderPage({ data: { ...page, data: [], page: 9, totalPages: 2, total: 70 } });
    expect(presses).toEqual([2]);
    expect(screen.getByText('Loading')).toBeTruthy();
  });

  it('keeps the cards when a refetch fails, and offers a retry if there are none', async () => {
    renderPage({ data: page, error: new Error('unavailable') });
    expect(screen.getByText('Soup')).toBeTruthy();
    cleanup();
    const presses = renderPage({ error: new Error('unavailable') });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load dishes');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(presses).toEqual(['retry']);
  });
});
