import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { usePointerOver, useStableOrder } from './use-stable-order.ts';

const list = (...ids: string[]) => ids.map((_id) => ({ _id }));
const shown = (items: readonly { _id: string }[]) => items.map(({ _id }) => _id).join('');

afterEach(cleanup);

describe('an order that is held', () => {
  it('stays while others move, takes new ones at its end and lets gone ones go', () => {
    const { result, rerender } = renderHook(({ ids, isHeld }) => useStableOrder(list(...ids), isHeld), {
      initialProps: { ids: ['a', 'b', 'c'], isHeld: true },
    });
    rerender({ ids: ['n', 'c', 'a'], isHeld: true });
    expect(shown(result.current)).toBe('acn');
  });

  it('is the given one again when it is let go', () => {
    const { result, rerender } = renderHook(({ ids, isHeld }) => useStableOrder(list(...ids), isHeld), {
      initialProps: { ids: ['a', 'b'], isHeld: true },
    });
    rerender({ ids: ['b', 'a'], isHeld: false });
    expect(shown(result.current)).toBe('ba');
  });

  it('is not taken over to another list', () => {
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

describe('what is pointed at', () => {
  it('is let go by the next thing that is, when it went under the pointer', async () => {
    const { rerender } = render(<Dishes isEmpty={false} />);
    await userEvent.hover(screen.getByRole('list'));
    expect(screen.getByRole('status').textContent).toBe('held');
    rerender(<Dishes isEmpty />);
    await userEvent.hover(screen.getByText('No dishes'));
    expect(screen.getByRole('status').textContent).toBe('free');
  });
});
