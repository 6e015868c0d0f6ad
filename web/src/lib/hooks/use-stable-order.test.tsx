import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { usePointerOver, useStableOrder } from './use-stable-order.ts';

const list = (...ids: string[]) => ids.map((_id) => ({ _id }));
const shown = (items: readonly { _id: string }[]) => items.map(({ _id }) => _id).join('');

afterEach(cleanup);

describe('a held order', () => {
  it('keeps its items in place, appends new ones, and drops deleted ones', () => {
    const { result, rerender } = renderHook(({ ids, isHeld }) => useStableOrder(list(...ids), isHeld), {
      initialProps: { ids: ['a', 'b', 'c'], isHeld: true },
    });
    rerender({ ids: ['n', 'c', 'a'], isHeld: true });
    expect(shown(result.current)).toBe('acn');
  });

  it('is the original order again after release', () => {
    const { result, rerender } = renderHook(({ ids, isHeld }) => useStableOrder(list(...ids), isHeld), {
      initialProps: { ids: ['a', 'b'], isHeld: true },
    });
    rerender({ ids: ['b', 'a'], isHeld: false });
    expect(shown(result.current)).toBe('ba');
  });

  it('does not carry over to another list', () => {
    const { result, rerender } = renderHook(({ ids, of }) => useStableOrder(list(...ids), true, of), {
      initialProps: { ids: ['a', 'b', 'c'], of: 'page 1' },
    });
    rerender({ ids: ['d', 'c', 'a'], of: 'page 2' });
    expect(shown(result.current)).toBe('dca');
    rerender({ ids: ['a', 'c', 'd'], of: 'page 2' });
    expect(shown(result.current)).toBe('dca');
  });
});

function Dishes({ isEmpty }: { isEmpty: boolean }) {
  const { isOver, handlers } = usePointerOver();
  return (
    <>
      <output>{isOver ? 'held' : 'free'}</output>
      {isEmpty ? <p>No dishes</p> : <ul aria-label="Dishes" {...handlers} />}
    </>
  );
}

describe('the pointer target', () => {
  it('is released when the pointer enters another element after the target was removed', async () => {
    const { rerender } = render(<Dishes isEmpty={false} />);
    await userEvent.hover(screen.getByRole('list'));
    expect(screen.getByRole('status').textContent).toBe('held');
    rerender(<Dishes isEmpty />);
    await userEvent.hover(screen.getByText('No dishes'));
    expect(screen.getByRole('status').textContent).toBe('free');
  });
});
