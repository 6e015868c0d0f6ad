import { blockUnload } from '../forms/unsaved-changes.ts';
import { newUuid } from '../new-uuid.ts';
import type { UserScopedStore } from '../session/user-scoped-store.ts';
import type { StallReason } from './retry-while.ts';

/** The queue lives outside components, so that navigation does not stop it. */
export type QueueEntry<Item> = {
  id: string;
  item: Item;
  /** From 0 to 1. */
  progress: number;
  state: 'waiting' | 'sending' | 'failed';
  stallReason?: StallReason | null;
  error?: string;
  cause?: unknown;
};

export type SendOptions = {
  onProgress: (fraction: number) => void;
  /** Called by a `send` that waits by itself; null when it continues. */
  onStalled: (reason: StallReason | null) => void;
  signal: AbortSignal;
  idempotencyKey: string;
};

export type SendHandlers<Item> = {
  send: (item: Item, options: SendOptions) => Promise<void>;
  discard?: (idempotencyKey: string) => void;
  explain: (error: unknown) => string;
  onFailed?(entry: QueueEntry<Item>): void;
  onIdle?: (sentCount: number) => void;
};

type ActiveEntry<Item> = QueueEntry<Item> & { handlers: SendHandlers<Item>; controller: AbortController };

export type QueueState<Item> = { entries: readonly ActiveEntry<Item>[]; sentCount: number };

type Options<Item> = {
  /** Items with the same key are sent sequentially. */
  concurrencyKey?: (item: Item) => string;
  maxConcurrent?: number;
  failsQueued?: (cause: unknown) => boolean;
  /** Whether closing the tab loses it, by default unless it has failed. */
  blocksUnload?: (entry: QueueEntry<Item>) => boolean;
};

export type SendQueue<Item> = {
  current(): readonly QueueEntry<Item>[];
  sentCount(): number;
  subscribe(listener: () => void): () => void;
  enqueue(items: readonly Item[], handlers: SendHandlers<Item>): void;
  cancel(id: string): void;
  retry(id: string): void;
  restore(item: Item, handlers: SendHandlers<Item>, reason: string): void;
};

const MAX_CONCURRENT = 2;

export const emptyQueue = <Item>(): QueueState<Item> => ({ entries: [], sentCount: 0 });

export function abortAll<Item>({ entries }: QueueState<Item>): void {
  for (const { controller } of entries) controller.abort();
}

export function createSendQueue<Item>(store: UserScopedStore<QueueState<Item>>, options: Options<Item> = {}) {
  const { concurrencyKey, failsQueued, blocksUnload = ({ state }) => state !== 'failed' } = options;
  const change = (edit: (entries: readonly ActiveEntry<Item>[]) => readonly ActiveEntry<Item>[]) =>
    store.change(store.owner(), (state) => ({ ...state, entries: edit(state.entries) }));
  const update = (id: string, changes: Partial<QueueEntry<Item>>) =>
    change((entries) => entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  const drop = (id: string) => change((entries) => entries.filter((entry) => entry.id !== id));

  const sendNext = () => {
    for (const entry of nextEntries(store.get().entries, options)) void send(entry);
  };
  const fail = ({ id, item, handlers }: ActiveEntry<Item>, cause: unknown) => {
    const failure = { state: 'failed', stallReason: null, error: handlers.explain(cause), cause } as const;
    update(id, failure);
    if (concurrencyKey && failsQueued?.(cause)) {
      const isBehind = (entry: ActiveEntry<Item>) =>
        entry.state === 'waiting' && concurrencyKey(entry.item) === concurrencyKey(item);
      change((entries) => entries.map((entry) => (isBehind(entry) ? { ...entry, ...failure } : entry)));
    }
    const failedEntry = store.get().entries.find((entry) => entry.id === id);
    if (failedEntry) handlers.onFailed?.(failedEntry);
  };

  async function send(entry: ActiveEntry<Item>): Promise<void> {
    const { id, item, handlers, controller } = entry;
    const owner = store.owner();
    update(id, { state: 'sending' });
    const onProgress = (progress: number) => update(id, { progress });
    const onStalled = (stallReason: StallReason | null) => update(id, { stallReason });
    try {
      await handlers.send(item, { onProgress, onStalled, signal: controller.signal, idempotencyKey: id });
      store.change(owner, (state) => ({ ...state, sentCount: state.sentCount + 1 }));
      drop(id);
    } catch (cause) {
      // A canceled item is already removed.
      if (!controller.signal.aborted) fail(entry, cause);
    }
    if (store.owner() !== owner) return;
    sendNext();
    const { entries, sentCount } = store.get();
    if (entries.some(({ state }) => state !== 'failed')) return;
    handlers.onIdle?.(sentCount);
    store.change(owner, (state) => ({ ...state, sentCount: 0 }));
  }

  blockUnloadWhile(store, blocksUnload);

  return {
    current: () => store.get().entries,
    sentCount: () => store.get().sentCount,
    subscribe: store.subscribe,
    enqueue(items, handlers) {
      const added = items.map((item) => newEntry(item, handlers));
      change((entries) => [...entries, ...added]);
      sendNext();
    },
    restore(item, handlers, reason) {
      change((entries) => [...entries, { ...newEntry(item, handlers), state: 'failed', error: reason }]);
    },
    cancel(id) {
      const canceledEntry = store.get().entries.find((entry) => entry.id === id);
      canceledEntry?.controller.abort();
      canceledEntry?.handlers.discard?.(id);
      drop(id);
      sendNext();
    },
    retry(id) {
      update(id, { state: 'waiting' });
      sendNext();
    },
  } satisfies SendQueue<Item>;
}

function newEntry<Item>(item: Item, handlers: SendHandlers<Item>): ActiveEntry<Item> {
  return { id: newUuid(), item, progress: 0, state: 'waiting', handlers, controller: new AbortController() };
}

function nextEntries<Item>(
  entries: readonly ActiveEntry<Item>[],
  { concurrencyKey, maxConcurrent = MAX_CONCURRENT }: Options<Item>,
): readonly ActiveEntry<Item>[] {
  const sending = entries.filter(({ state }) => state === 'sending');
  const busyKeys = new Set(sending.map(({ item }) => concurrencyKey?.(item)));
  const ready = entries.filter(({ state, item }) => {
    if (state !== 'waiting') return false;
    if (!concurrencyKey) return true;
    const key = concurrencyKey(item);
    return !busyKeys.has(key) && busyKeys.add(key);
  });
  return ready.slice(0, maxConcurrent - sending.length);
}

function blockUnloadWhile<Item>(
  store: UserScopedStore<QueueState<Item>>,
  blocksUnload: (entry: QueueEntry<Item>) => boolean,
): void {
  let unblock: (() => void) | undefined;
  store.subscribe(() => {
    if (store.get().entries.some(blocksUnload)) unblock ??= blockUnload();
    else {
      unblock?.();
      unblock = undefined;
    }
  });
}
