import { useMemo, useState } from 'react';

type Item = { _id: string };

type Held = { list: string; ids: readonly string[] };

/**
 * Keeps what others change from moving what somebody is about to press: while the list is held, those on it keep their places and
 * new ones come last; then the order is the server's again. `list` says which list it is, where filters or pages make it another.
 */
export function useSteadyOrder<T extends Item>(items: readonly T[], isHeld: boolean, list = ''): readonly T[] {
  const [held, setHeld] = useState<Held | null>(null);
  if (isHeld && held?.list !== list) setHeld({ list, ids: items.map(({ _id }) => _id) });
  if (!isHeld && held !== null) setHeld(null);
  return isHeld && held?.list === list ? inOrder(items, held.ids) : items;
}

/** Whether a pointer is over something, and what that something must be given to know it. A finger points only while it presses. */
export function usePointerOver() {
  const [isOver, setOver] = useState(false);
  const handlers = useMemo(
    () => ({
      onPointerEnter: ({ pointerType }: { pointerType: string }) => setOver(pointerType === 'mouse'),
      onPointerLeave: () => setOver(false),
    }),
    [],
  );
  return { isOver, handlers };
}

type Answer<T> = { data?: { data: readonly T[] } | undefined; isLoading: boolean };

/**
 * What a read of a list answered, held while a pointer is over what `handlers` are given to. While another list is being loaded the
 * one before still stands, which is nothing to hold on to.
 */
export function useSteadyList<T extends Item>({ data, isLoading }: Answer<T>, list?: string) {
  const { isOver, handlers } = usePointerOver();
  return { items: useSteadyOrder(data?.data ?? [], isOver && !isLoading, list), handlers };
}

/** Items of that order first and in it, the others behind as they come. */
export function inOrder<T extends Item>(items: readonly T[], order: readonly string[]): T[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ _id }: T) => places.get(_id) ?? order.length;
  return [...items].sort((one, other) => placeOf(one) - placeOf(other));
}
