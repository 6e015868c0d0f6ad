import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { onConnected } from '#realtime/connection/status.ts';
import { useAction } from '#ui/overlays/use-action.ts';

type Page<Item, Next> = { data: readonly Item[]; next: Next | null };
type Older<Item, Next> = Page<Item, Next> & { pages: number };
type OlderPagesParams<Item, Next> = {
  first: Page<Item, Next> | undefined;
  read: (before?: Next) => Promise<Page<Item, Next>>;
  failure: string;
};
type Listed = { _id: string; message: string; createdAt: string };

/** Older pages are reloaded after a reconnect, because edits and deletions may have been missed. */
export function useOlderPages<Item extends Listed, Next>(params: OlderPagesParams<Item, Next>) {
  const { first, read, failure } = params;
  const { older, store, change, runSequentially } = useOlderState<Item, Next>();
  const items = mergeFilePages(first?.data ?? [], older?.data ?? []);
  // Includes the first page, because new items push older ones off it.
  const mergeWithShown = useStableCallback((before: Older<Item, Next> | undefined) =>
    mergeFilePages(first?.data ?? [], before?.data ?? []),
  );
  const loadMore = useAction(
    () =>
      runSequentially(async (before) => {
        const next = before ? before.next : first?.next;
        if (next === null || next === undefined) return;
        const page = await read(next);
        store({ data: [...mergeWithShown(before), ...page.data], next: page.next, pages: (before?.pages ?? 0) + 1 });
      }),
    failure,
  );
  const reload = useEffectEvent(() =>
    runSequentially(async (before) => {
      if (!before) return;
      let page = await read();
      const data = [...page.data];
      for (let pages = 0; pages < before.pages && page.next !== null; pages += 1) {
        page = await read(page.next);
        data.push(...page.data);
      }
      store({ data, next: page.next, pages: before.pages });
    }),
  );
  useEffect(() => {
    return onConnected(() => void reload().catch(() => undefined));
  }, []);
  return {
    items,
    more: {
      hasMore: (older ? older.next : (first?.next ?? null)) !== null,
      load: () => void loadMore.run(),
      isLoading: loadMore.isBusy,
    },
    change,
  };
}

/** By the id of the message. */
type Changes<Item> = ReadonlyMap<string, Item | null>;

/** Changes that arrive while a page is loading are applied to it. */
function useOlderState<Item extends Listed, Next>() {
  const [older, setOlder] = useState<Older<Item, Next>>();
  const latest = useRef<Older<Item, Next>>(undefined);
  const pendingChanges = useRef(new Map<string, Item | null>());
  const lastTask = useRef<Promise<unknown>>(Promise.resolve());
  const show = (next: Older<Item, Next> | undefined) => {
    latest.current = next;
    setOlder(next);
  };
  return {
    older,
    store: (next: Older<Item, Next>) => show(withChanges(next, pendingChanges.current)),
    change(message: string, item: Item | null) {
      pendingChanges.current.set(message, item);
      show(latest.current && withChanges(latest.current, new Map([[message, item]])));
    },
    runSequentially(work: (before: Older<Item, Next> | undefined) => Promise<void>) {
      const task = lastTask.current.then(() => {
        pendingChanges.current.clear();
        return work(latest.current);
      });
      lastTask.current = task.catch(() => undefined);
      return task;
    },
  };
}

/** Changes to messages before the loaded range are ignored; the page that contains them will include them. */
function withChanges<Item extends Listed, Next>(older: Older<Item, Next>, changes: Changes<Item>): Older<Item, Next> {
  const oldest = older.next === null ? '' : (older.data.at(-1)?.createdAt ?? '');
  const unchanged = older.data.filter(({ message }) => !changes.has(message));
  const added = [...changes.values()].flatMap((item) => (item !== null && item.createdAt >= oldest ? [item] : []));
  return { ...older, data: [...unchanged, ...added].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)) };
}

/** Within its range the first page is authoritative; it may contain only part of its last message. */
export function mergeFilePages<Item extends Listed>(first: readonly Item[], earlier: readonly Item[]): Item[] {
  const oldest = first.at(-1);
  if (!oldest) return [];
  const firstPageIds = new Set(first.map(({ _id }) => _id));
  return [...first, ...earlier.filter(({ _id, createdAt }) => createdAt <= oldest.createdAt && !firstPageIds.has(_id))];
}
