import { useRef, useState } from 'react';
import { useAction } from '../../ui/overlays/use-action.ts';
import { joinedFiles } from './joined-files.ts';

type Page<Item, Next> = { data: readonly Item[]; next: Next | null };
type Given<Item, Next> = {
  /** As it is now. */
  first: Page<Item, Next> | undefined;
  readBefore: (next: Next) => Promise<Page<Item, Next>>;
  failure: string;
};

/** A list of what stands in messages, newest first: the first page as it is now, and as many older ones as were asked for. */
export function useOlderPages<Item extends { _id: string; seq: number }, Next>(given: Given<Item, Next>) {
  const { first, readBefore, failure } = given;
  const [older, setOlder] = useState<Page<Item, Next>>();
  const items = joinedFiles(first?.data ?? [], older?.data ?? []);
  const next = older ? older.next : (first?.next ?? null);
  const dropped = useRef(new Set<number>());
  const more = useAction(async () => {
    if (next === null) return;
    dropped.current.clear();
    const page = await readBefore(next);
    // Those of the first page, too: what comes meanwhile pushes them off it. And without what goes meanwhile.
    const data = [...items, ...page.data].filter(({ seq }) => !dropped.current.has(seq));
    setOlder({ data, next: page.next });
  }, failure);
  return {
    items,
    hasMore: next !== null,
    loadMore: () => void more.run(),
    isLoadingMore: more.isBusy,
    /** Lets go of those of a message in the older pages. */
    dropOlder(seq: number) {
      dropped.current.add(seq);
      setOlder((known) => known && { ...known, data: known.data.filter((one) => one.seq !== seq) });
    },
  };
}
