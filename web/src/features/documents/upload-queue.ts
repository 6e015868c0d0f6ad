import { holdTab } from '../../lib/forms/leave-guard.ts';
import { newUuid } from '../../lib/new-uuid.ts';
import { createPersonStore } from '../../lib/session/person-store.ts';
import type { SendOptions } from './use-document-actions.ts';

/** One file on its way up. It lives outside the screen, so that going elsewhere does not stop it. */
export type Upload = {
  id: string;
  file: File;
  /** From 0 to 1. */
  progress: number;
  state: 'waiting' | 'sending' | 'failed';
  /** Why it failed. */
  error?: string;
};

export type UploadWork = {
  send: (file: File, options: SendOptions) => Promise<void>;
  /** Turns what went wrong into words, and may tell about it. */
  explain: (error: unknown) => string;
  /** Runs when nothing is under way any more, with how many arrived. */
  onIdle: (arrived: number) => void;
};

const AT_ONCE = 2;

type Entry = Upload & { work: UploadWork; controller: AbortController };

type Queue = { entries: readonly Entry[]; arrived: number };

/** What one person began does not go on for the next. */
const queue = createPersonStore<Queue>(
  () => ({ entries: [], arrived: 0 }),
  ({ entries }) => {
    for (const { controller } of entries) controller.abort();
  },
);

let letGo: (() => void) | undefined;

// A file that is on its way is lost with the tab.
queue.subscribe(() => {
  const isUnderWay = queue.get().entries.some(({ state }) => state !== 'failed');
  if (isUnderWay) letGo ??= holdTab();
  else {
    letGo?.();
    letGo = undefined;
  }
});

const change = (edit: (entries: readonly Entry[]) => readonly Entry[]) =>
  queue.change(queue.owner(), (present) => ({ ...present, entries: edit(present.entries) }));
const patch = (id: string, changes: Partial<Upload>) =>
  change((entries) => entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
const drop = (id: string) => change((entries) => entries.filter((entry) => entry.id !== id));

export function currentUploads(): readonly Upload[] {
  return queue.get().entries;
}

export const onUploadsChange = queue.subscribe;

/** Takes files in; a few are sent at a time. */
export function enqueueUploads(files: readonly File[], work: UploadWork): void {
  const added = files.map((file): Entry => {
    const id = newUuid();
    return { id, file, progress: 0, state: 'waiting', work, controller: new AbortController() };
  });
  change((entries) => [...entries, ...added]);
  sendNext();
}

/** Stops an upload, or takes a failed one off the list. */
export function cancelUpload(id: string): void {
  queue
    .get()
    .entries.find((entry) => entry.id === id)
    ?.controller.abort();
  drop(id);
  sendNext();
}

/** Sends a failed one again, under its old key: should it have arrived after all, it is not there twice. */
export function retryUpload(id: string): void {
  patch(id, { state: 'waiting', progress: 0 });
  sendNext();
}

function sendNext(): void {
  const { entries } = queue.get();
  const sending = entries.filter(({ state }) => state === 'sending').length;
  for (const entry of entries.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - sending)) void send(entry);
}

async function send({ id, file, work, controller }: Entry): Promise<void> {
  const owner = queue.owner();
  patch(id, { state: 'sending' });
  const onProgress = (progress: number) => patch(id, { progress });
  try {
    await work.send(file, { onProgress, signal: controller.signal, idempotencyKey: id });
    queue.change(owner, (present) => ({ ...present, arrived: present.arrived + 1 }));
    drop(id);
  } catch (error) {
    // A cancelled one is off the list already.
    if (!controller.signal.aborted) patch(id, { state: 'failed', error: work.explain(error) });
  }
  if (queue.owner() !== owner) return;
  sendNext();
  const { entries, arrived } = queue.get();
  if (entries.some(({ state }) => state !== 'failed')) return;
  work.onIdle(arrived);
  queue.change(owner, (present) => ({ ...present, arrived: 0 }));
}
