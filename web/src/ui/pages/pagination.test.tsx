import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Pagination, pagesAround } from './pagination.tsx';

afterEach(cleanup);

function DishPages() {
  const [page, setPage] = useState(1);
  return (
    <section aria-label="Dishes">
      <Pagination page={page} totalPages={2} total={37} onPage={setPage} />
    </section>
  );
}

describe('pagination', () => {
  it('shows at most five pages, around the current one', () => {
    expect(pagesAround(1, 13)).toEqual([1, 2, 3, 4, 5]);
    expect(pagesAround(7, 13)).toEqual([5, 6, 7, 8, 9]);
    expect(pagesAround(13, 13)).toEqual([9, 10, 11, 12, 13]);
    expect(pagesAround(2, 3)).toEqual([1, 2, 3]);
  });

  it('shows page and total, and changes the page on press', async () => {
    const selectedPages: number[] = [];
    render(<Pagination page={2} totalPages={4} total={37} onPage={(page) => selectedPages.push(page)} />);
    expect(screen.getByText('Showing page 2 of 4 (37 total items)')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Page 4' }));
    await userEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    expect(selectedPages).toEqual([4, 1]);
  });

  it('shows that a search has more results than it counted', () => {
    render(<Pagination page={1} totalPages={100} total={1_000} more onPage={() => undefined} />);
    expect(screen.getByText('Showing page 1 of 100 (1,000+ total items)')).toBeTruthy();
  });

  it('scrolls to the top of the new page, and keeps focus', async () => {
    const scrolledElements: Element[] = [];
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function scroll() {
      scrolledElements.push(this);
    };
    try {
      render(<DishPages />);
      const list = screen.getByRole('region', { name: 'Dishes' });
      list.getBoundingClientRect = () => new DOMRect(0, -900, 800, 1600);
      const next = screen.getByRole('button', { name: 'Next page' });
      await userEvent.click(next);
      expect(screen.getByRole('status').textContent).toContain('Showing page 2 of 2');
      expect(scrolledElements).toEqual([list]);
      expect(next.getAttribute('aria-disabled')).toBe('true');
      expect(document.activeElement).toBe(next);
    } finally {
      Element.prototype.scrollIntoView = scrollIntoView;
    }
  });

  it('is hidden for an empty list', () => {
    const { container } = render(<Pagination page={1} totalPages={0} total={0} onPage={() => undefined} />);
    expect(container.textContent).toBe('');
  });
});
