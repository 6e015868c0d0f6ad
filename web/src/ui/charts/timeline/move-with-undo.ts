import { showErrorToast, showUndoable } from '../../overlays/toast.ts';

type Options<Item> = {
  item: Item;
  days: number;
  /** Moves the dates of an item by some days. */
  save: (item: Item, days: number) => Promise<Item>;
  success: string;
  failure: string;
};

export async function moveWithUndo<Item>({ item, days, save, success, failure }: Options<Item>): Promise<void> {
  const move = async (current: Item, by: number): Promise<Item | undefined> => {
    try {
      return await save(current, by);
    } catch (error) {
      showErrorToast(error, failure);
      return undefined;
    }
  };
  const moved = await move(item, days);
  if (moved) showUndoable(success, () => void move(moved, -days));
}
