import { useEffect, useMemo, useState } from 'react';

type Item = { _id: string };

type Held = { list: string; ids: readonly string[] };

/**
 * Keeps what others change from moving what somebody is about to press: while the list is held, those on it keep their places and
 * new ones come last; then the order is the server's again. `list` says which list it is, where filters or pages make it another.
 */
export function useStableOrder<T extends Item>(items: readonly T[], isHeld: boolean, list = ''): readonly T[] {
  const [held, setHeld] = useState<Held | null>(null);
  if (isHeld && held?.list !== list) setHeld({ list, ids: items.map(({ _id }) => _id) });
  if (!isHeld && held !== null) setHeld(null);
  return isHeld && held?.list === list ? inOrder(items, held.ids) : items;
}

type PointedAt = { pointerType: string; currentTarget: Element };

/** A pointer that has rested for so long is not about to press. */
const RESTED_MS = 2_000;

/**
 * Whether a pointer moves over something, or did a moment ago, and the handlers that the element needs for it. A finger points only while
 * it presses. No event reports the removal of what is under a pointer: the next element that is pointed at does.
 */
export function usePointerOver() {
  const [over, setOver] = useState<Element | null>(null);
  useEffect(() => {
    if (!over) return undefined;
    let timer = setTimeout(setOver, RESTED_MS, null);
    const look = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && over.contains(target))) setOver(null);
    };
    const stay = () => {
      clearTimeout(timer);
      timer = setTimeout(setOver, RESTED_MS, null);
    };
    document.addEventListener('pointerover', look);
    document.addEventListener('pointermove', stay);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', look);
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

/**
 * What a read of a list answered, held while a pointer is over what `handlers` are given to. While another list is being loaded the
 * one before still stands, which is nothing to hold on to.
 */
export function useStableList<T extends Item>({ data, isLoading }: ListQuery<T>, list?: string) {
  const { isOver, handlers } = usePointerOver();
  return { items: useStableOrder(data?.data ?? [], isOver && !isLoading, list), handlers };
}

/** Items of that order first and in it, the others behind as they come. */
export function inOrder<T extends Item>(items: readonly T[], order: readonly string[]): T[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ _id }: T) => places.get(_id) ?? order.length;
  return [...items].sort((one, other) => placeOf(one) - placeOf(other));
}
