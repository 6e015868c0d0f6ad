import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { usePointerOver, useStableOrder } from './use-stable-order.ts';

const list = (...ids: string[]) => ids.map((_id) => ({ _id }));
const joinIds = (items: readonly { _id: string }[]) => items.map(({ _id }) => _id).join('');

afterEach(cleanup);

describe('useStableOrder', () => {
  it('keeps held items in place, appends new ones, and drops deleted ones', () => {
    const { result, rerender } = renderHook(({ ids, isHeld }) => useStableOrder(list(...ids), isHeld), {
      initialProps: { ids: ['a', 'b', 'c'], isHeld: true },
    });
    rerender({ ids: ['n', 'c', 'a'], isHeld: true });
    expect(joinIds(result.current)).toBe('acn');
  });

  it('restores the original order after release', () => {
    const { result, rerender } = renderHook(({ ids, isHeld }) => useStableOrder(list(...ids), isHeld), {
      initialProps: { ids: ['a', 'b'], isHeld: true },
    });
    rerender({ ids: ['b', 'a'], isHeld: false });
    expect(joinIds(result.current)).toBe('ba');
  });

  it('does not apply a held order to a different list', () => {
    const { result, rerender } = renderHook(({ ids, page }) => useStableOrder(list(...ids), true, page), {
      initialProps: { ids: ['a', 'b', 'c'], page: 'page 1' },
    });
    rerender({ ids: ['d', 'c', 'a'], page: 'page 2' });
    expect(joinIds(result.current)).toBe('dca');
    rerender({ ids: ['a', 'c', 'd'], page: 'page 2' });
    expect(joinIds(result.current)).toBe('dca');
  });
});

function Dishes({ isEmpty }: { isEmpty: boolean }) {
  const { isOver, handlers } = usePointerOver();
  return (
    <>
      <output>{isOver ? 'over' : 'not over'}</output>
      {isEmpty ? <p>No dishes</p> : <ul aria-label="Dishes" {...handlers} />}
    </>
  );
}

describe('usePointerOver', () => {
  it('ends when the pointer enters a different element after its target was removed', async () => {
    const { rerender } = render(<Dishes isEmpty={false} />);
    await userEvent.hover(screen.getByRole('list'));
    expect(screen.getByRole('status').textContent).toBe('over');
    rerender(<Dishes isEmpty />);
    await userEvent.hover(screen.getByText('No dishes'));
    expect(screen.getByRole('status').textContent).toBe('not over');
  });
});
