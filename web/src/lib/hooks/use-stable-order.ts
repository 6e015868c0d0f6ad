import { useEffect, useMemo, useState } from 'react';

type Item = { _id: string };

type Held = { list: string; ids: readonly string[] };

/**
 * While held, present items keep their places and new ones come last, so that updates move nothing under the
 * pointer.
 */
export function useStableOrder<T extends Item>(items: readonly T[], isHeld: boolean, list = ''): readonly T[] {
  const [held, setHeld] = useState<Held | null>(null);
  if (isHeld && held?.list !== list) setHeld({ list, ids: items.map(({ _id }) => _id) });
  if (!isHeld && held !== null) setHeld(null);
  return isHeld && held?.list === list ? inOrder(items, held.ids) : items;
}

type PointedAt = { pointerType: string; currentTarget: Element };

const RESTED_MS = 2_000;

/**
 * A finger counts only while it presses. No event reports that the element under a pointer was removed: the
 * next pointer event on another element does.
 */
export function usePointerOver() {
  const [over, setOver] = useState<Element | null>(null);
  useEffect(() => {
    if (!over) return undefined;
    let timer = setTimeout(setOver, RESTED_MS, null);
    const onPointerOver = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && over.contains(target))) setOver(null);
    };
    const stay = () => {
      clearTimeout(timer);
      timer = setTimeout(setOver, RESTED_MS, null);
    };
    document.addEventListener('pointerover', onPointerOver);
    document.addEventListener('pointermove', stay);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', onPointerOver);
      document.removeEventListener('pointermove', stay);
    };
  }, [over]);
  const handlers = useMemo(() => {
    const enter = ({ pointerType, currentTarget }: PointedAt) =>
      setOver(pointerType === 'mouse' ? currentTarget : null);
    return { onPointerEnter: enter, onPointerMove: enter, onPointerLeave: () => setOver(null) };
  }, []);
  return { isOver: over !== null, handlers };
}

type ListQuery<T> = { data?: { data: readonly T[] } | undefined; isLoading: boolean };

export function useStableList<T extends Item>({ data, isLoading }: ListQuery<T>, list?: string) {
  const { isOver, handlers } = usePointerOver();
  return { items: useStableOrder(data?.data ?? [], isOver && !isLoading, list), handlers };
}

function inOrder<T extends Item>(items: readonly T[], order: readonly string[]): T[] {
  const indexes = new Map(order.map((id, index) => [id, index]));
  const indexOf = ({ _id }: T) => indexes.get(_id) ?? order.length;
  return [...items].sort((a, b) => indexOf(a) - indexOf(b));
}
