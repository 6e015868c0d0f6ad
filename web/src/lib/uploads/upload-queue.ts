import { blockUnload } from '../forms/navigation-blocker.ts';
import { newUuid } from '../new-uuid.ts';
import type { UserScopedStore } from '../session/user-scoped-store.ts';

/** An upload in progress. It lives outside of components, so that navigation does not stop it. */
export type Upload<Item> = {
  id: string;
  item: Item;
  /** From 0 to 1. */
  progress: number;
  state: 'waiting' | 'sending' | 'failed';
  /** It waits for the network and resumes automatically. */
  isStalled?: boolean;
  /** The reason of the failure, for the user. */
  error?: string;
  /** The thrown error. */
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
  /** Discards the stored parts of a cancelled upload. */
  discard?: (idempotencyKey: string) => void;
  /** Returns a message for the error, and may show it elsewhere. */
  explain: (error: unknown) => string;
  /** Runs when an upload has failed. */
  onFailed?(upload: Upload<Item>): void;
  /** Runs when the queue is idle, with the number of completed uploads. */
  onIdle?: (arrived: number) => void;
};

type Entry<Item> = Upload<Item> & { work: UploadWork<Item>; controller: AbortController };

export type Queue<Item> = { entries: readonly Entry<Item>[]; arrived: number };

type Options<Item> = {
  /** Uploads with the same key run sequentially. */
  concurrencyKey?: (item: Item) => string;
  maxConcurrent?: number;
  /** Whether queued uploads with the same key fail too. */
  failsQueued?: (cause: unknown) => boolean;
  /** Whether closing the tab loses it, by default unless it has failed. */
  blocksUnload?: (upload: Upload<Item>) => boolean;
};

export type UploadQueue<Item> = {
  current(): readonly Upload<Item>[];
  /** Completed uploads since the queue was last idle. */
  arrived(): number;
  subscribe(listener: () => void): () => void;
  /** Adds uploads; a few run concurrently. */
  enqueue(items: readonly Item[], work: UploadWork<Item>): void;
  /** Cancels an upload, or removes a failed one. */
  cancel(id: string): void;
  /** Retries a failed upload with the same idempotency key. */
  retry(id: string): void;
  /** Adds an upload that failed before a reload. */
  restore(item: Item, work: UploadWork<Item>, reason: string): void;
};

const MAX_CONCURRENT = 2;

export const emptyQueue = <Item>(): Queue<Item> => ({ entries: [], arrived: 0 });

/** Uploads of a user stop when they leave. */
export function stopUploads<Item>({ entries }: Queue<Item>): void {
  for (const { controller } of entries) controller.abort();
}

/** The upload queue of the store's user. While closing the tab would lose an upload, it asks for confirmation. */
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
      // A cancelled upload is already removed.
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

/** Closing the tab loses running uploads. */
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
