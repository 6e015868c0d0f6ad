import { blockUnload } from '../forms/navigation-blocker.ts';
import { newUuid } from '../new-uuid.ts';
import type { UserScopedStore } from '../session/user-scoped-store.ts';

/** Something on its way up. It lives outside the screen, so that going elsewhere does not stop it. */
export type Upload<Item> = {
  id: string;
  item: Item;
  /** From 0 to 1. */
  progress: number;
  state: 'waiting' | 'sending' | 'failed';
  /** It waits for the network, and goes on by itself. */
  isStalled?: boolean;
  /** Why it failed, in words. */
  error?: string;
  /** What was thrown. */
  cause?: unknown;
};

export type SendOptions = {
  onProgress: (fraction: number) => void;
  /** For a `send` that waits for the network itself. */
  onStalled: (isStalled: boolean) => void;
  signal: AbortSignal;
  idempotencyKey: string;
};

export type UploadWork<Item> = {
  send: (item: Item, options: SendOptions) => Promise<void>;
  /** Lets go of what has arrived of something that was taken off. */
  discard?: (idempotencyKey: string) => void;
  /** Turns what went wrong into words, and may tell about it. */
  explain: (error: unknown) => string;
  /** Runs when one failed and is on the list as such. */
  onFailed?(upload: Upload<Item>): void;
  /** Runs when nothing is under way any more, with how many arrived. */
  onIdle?: (arrived: number) => void;
};

type Entry<Item> = Upload<Item> & { work: UploadWork<Item>; controller: AbortController };

export type Queue<Item> = { entries: readonly Entry<Item>[]; arrived: number };

type Options<Item> = {
  /** Things of one lane go one after the other. */
  concurrencyKey?: (item: Item) => string;
  maxConcurrent?: number;
  /** Whether what waits behind a failed one in its lane fails with it. */
  failsQueued?: (cause: unknown) => boolean;
  /** Whether closing the tab loses something, by default while it has not failed. */
  blocksUnload?: (upload: Upload<Item>) => boolean;
};

export type UploadQueue<Item> = {
  current(): readonly Upload<Item>[];
  /** How many have arrived since there was nothing under way. */
  arrived(): number;
  subscribe(listener: () => void): () => void;
  /** Takes things in; a few are sent at a time. */
  enqueue(items: readonly Item[], work: UploadWork<Item>): void;
  /** Stops one, or takes a failed one off the list. */
  cancel(id: string): void;
  /** Sends a failed one again, under its old key: should it have arrived after all, it is not there twice. */
  retry(id: string): void;
  /** Adds one that failed before, on a page that is gone. */
  restore(item: Item, work: UploadWork<Item>, reason: string): void;
};

const MAX_CONCURRENT = 2;

export const emptyQueue = <Item>(): Queue<Item> => ({ entries: [], arrived: 0 });

/** What one person began does not go on for the next. */
export function stopUploads<Item>({ entries }: Queue<Item>): void {
  for (const { controller } of entries) controller.abort();
}

/** Uploads of the person whose the store is. While something would be lost with the tab, closing it asks. */
export function createUploadQueue<Item>(store: UserScopedStore<Queue<Item>>, options: Options<Item> = {}) {
  const {
    concurrencyKey,
    maxConcurrent = MAX_CONCURRENT,
    failsQueued,
    blocksUnload = ({ state }) => state !== 'failed',
  } = options;
  const change = (edit: (entries: readonly Entry<Item>[]) => readonly Entry<Item>[]) =>
    store.change(store.owner(), (present) => ({ ...present, entries: edit(present.entries) }));
  const update = (id: string, changes: Partial<Upload<Item>>) =>
    change((entries) => entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  const drop = (id: string) => change((entries) => entries.filter((entry) => entry.id !== id));

  const sendNext = () => {
    for (const entry of nextUploads(store.get().entries, { concurrencyKey, maxConcurrent })) void send(entry);
  };
  const fail = ({ id, item, work }: Entry<Item>, cause: unknown) => {
    const failure = { state: 'failed', isStalled: false, error: work.explain(cause), cause } as const;
    update(id, failure);
    if (concurrencyKey && failsQueued?.(cause)) {
      const isBehind = (entry: Entry<Item>) =>
        entry.state === 'waiting' && concurrencyKey(entry.item) === concurrencyKey(item);
      change((entries) => entries.map((entry) => (isBehind(entry) ? { ...entry, ...failure } : entry)));
    }
    const failed = store.get().entries.find((entry) => entry.id === id);
    if (failed) work.onFailed?.(failed);
  };

  async function send(entry: Entry<Item>): Promise<void> {
    const { id, item, work, controller } = entry;
    const owner = store.owner();
    update(id, { state: 'sending' });
    const onProgress = (progress: number) => update(id, { progress });
    const onStalled = (isStalled: boolean) => update(id, { isStalled });
    try {
      await work.send(item, { onProgress, onStalled, signal: controller.signal, idempotencyKey: id });
      store.change(owner, (present) => ({ ...present, arrived: present.arrived + 1 }));
      drop(id);
    } catch (cause) {
      // A cancelled one is off the list already.
      if (!controller.signal.aborted) fail(entry, cause);
    }
    if (store.owner() !== owner) return;
    sendNext();
    const { entries, arrived } = store.get();
    if (entries.some(({ state }) => state !== 'failed')) return;
    work.onIdle?.(arrived);
    store.change(owner, (present) => ({ ...present, arrived: 0 }));
  }

  blockUnloadWhile(store, ({ entries }) => entries.some(blocksUnload));

  return {
    current: () => store.get().entries,
    arrived: () => store.get().arrived,
    subscribe: store.subscribe,
    enqueue(items, work) {
      const added = items.map((item) => newEntry(item, work));
      change((entries) => [...entries, ...added]);
      sendNext();
    },
    restore(item, work, reason) {
      change((entries) => [...entries, { ...newEntry(item, work), state: 'failed', error: reason }]);
    },
    cancel(id) {
      const found = store.get().entries.find((entry) => entry.id === id);
      found?.controller.abort();
      found?.work.discard?.(id);
      drop(id);
      sendNext();
    },
    retry(id) {
      update(id, { state: 'waiting' });
      sendNext();
    },
  } satisfies UploadQueue<Item>;
}

function newEntry<Item>(item: Item, work: UploadWork<Item>): Entry<Item> {
  return { id: newUuid(), item, progress: 0, state: 'waiting', work, controller: new AbortController() };
}

type Limits<Item> = { concurrencyKey: Options<Item>['concurrencyKey']; maxConcurrent: number };

/** Those whose turn it is. */
function nextUploads<Item>(
  entries: readonly Entry<Item>[],
  { concurrencyKey, maxConcurrent }: Limits<Item>,
): readonly Entry<Item>[] {
  const sending = entries.filter(({ state }) => state === 'sending');
  const taken = new Set(sending.map(({ item }) => concurrencyKey?.(item)));
  const free = entries.filter(({ state, item }) => {
    if (state !== 'waiting') return false;
    if (!concurrencyKey) return true;
    const key = concurrencyKey(item);
    return !taken.has(key) && taken.add(key);
  });
  return free.slice(0, maxConcurrent - sending.length);
}

/** What is on its way is lost with the tab. */
function blockUnloadWhile<State>(store: UserScopedStore<State>, isHeld: (state: State) => boolean): void {
  let unblock: (() => void) | undefined;
  store.subscribe(() => {
    if (isHeld(store.get())) unblock ??= blockUnload();
    else {
      unblock?.();
      unblock = undefined;
    }
  });
}
