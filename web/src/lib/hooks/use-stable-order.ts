import { useEffect, useMemo, useState } from 'react';

type Item = { _id: string };

type FrozenOrder = { list: string; ids: readonly string[] };

/**
 * While `isHeld`, listed items keep their places and new ones come last, so that updates move nothing under the pointer.
 */
export function useStableOrder<T extends Item>(items: readonly T[], isHeld: boolean, list = ''): readonly T[] {
  const [frozenOrder, setFrozenOrder] = useState<FrozenOrder | null>(null);
  if (isHeld && frozenOrder?.list !== list) setFrozenOrder({ list, ids: items.map(({ _id }) => _id) });
  if (!isHeld && frozenOrder !== null) setFrozenOrder(null);
  return isHeld && frozenOrder?.list === list ? sortByIds(items, frozenOrder.ids) : items;
}

type PointedAt = { pointerType: string; currentTarget: Element };

const HOVER_TIMEOUT_MS = 2_000;

/**
 * A finger never hovers. No event reports that the element under a pointer was removed, so the next pointer event on a
 * different element ends the hover.
 */
export function usePointerOver() {
  const [hoveredElement, setHoveredElement] = useState<Element | null>(null);
  useEffect(() => {
    if (!hoveredElement) return undefined;
    let timer = setTimeout(setHoveredElement, HOVER_TIMEOUT_MS, null);
    const onPointerOver = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && hoveredElement.contains(target))) setHoveredElement(null);
    };
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(setHoveredElement, HOVER_TIMEOUT_MS, null);
    };
    document.addEventListener('pointerover', onPointerOver);
    document.addEventListener('pointermove', restartTimer);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', onPointerOver);
      document.removeEventListener('pointermove', restartTimer);
    };
  }, [hoveredElement]);
  const handlers = useMemo(() => {
    const enter = ({ pointerType, currentTarget }: PointedAt) =>
      setHoveredElement(pointerType === 'mouse' ? currentTarget : null);
    return { onPointerEnter: enter, onPointerMove: enter, onPointerLeave: () => setHoveredElement(null) };
  }, []);
  return { isOver: hoveredElement !== null, handlers };
}

type ListQuery<T> = { data?: { data: readonly T[] } | undefined; isLoading: boolean };

export function useStableList<T extends Item>({ data, isLoading }: ListQuery<T>, list?: string) {
  const { isOver, handlers } = usePointerOver();
  return { items: useStableOrder(data?.data ?? [], isOver && !isLoading, list), handlers };
}

function sortByIds<T extends Item>(items: readonly T[], order: readonly string[]): T[] {
  const indexes = new Map(order.map((id, index) => [id, index]));
  const indexOf = ({ _id }: T) => indexes.get(_id) ?? order.length;
  return [...items].sort((a, b) => indexOf(a) - indexOf(b));
}
