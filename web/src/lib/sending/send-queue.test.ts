import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { isUnloadBlocked } from '../forms/unsaved-changes.ts';
import { createUserScopedStore } from '../session/user-scoped-store.ts';
import {
  abortAll,
  createSendQueue,
  emptyQueue,
  type QueueState,
  type SendHandlers,
  type SendOptions,
} from './send-queue.ts';

const store = createUserScopedStore<QueueState<File>>(emptyQueue, abortAll);
const uploads = createSendQueue(store);

type PendingUpload = SendOptions & { name: string; complete: () => void; fail: (error: Error) => void };

/** Creates handlers whose uploads the test completes. */
function createUploads() {
  const pendingUploads: PendingUpload[] = [];
  const idleCounts: number[] = [];
  const handlers: Omit<SendHandlers<File>, 'onFailed'> = {
    send: (file, options) =>
      new Promise((resolve, reject) => {
        pendingUploads.push({ ...options, name: file.name, complete: resolve, fail: reject });
        options.signal.addEventListener('abort', () => reject(new DOMException('Upload canceled', 'AbortError')));
      }),
    explain: (error) => (error instanceof Error ? error.message : 'Failed to upload files'),
    onIdle: (sentCount) => idleCounts.push(sentCount),
  };
  return { handlers, pendingUploads, idleCounts };
}

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const entryTexts = () => uploads.current().map(({ item, state }) => `${item.name} ${state}`);
const waitForEffects = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  signInAs(buildUser('a'));
  for (const { id } of uploads.current()) uploads.cancel(id);
});

describe('the upload queue', () => {
  it('sends two uploads at a time and removes completed ones', async () => {
    const { handlers, pendingUploads, idleCounts } = createUploads();
    uploads.enqueue(files('a', 'b', 'c'), handlers);
    expect(entryTexts()).toEqual(['a sending', 'b sending', 'c waiting']);
    pendingUploads[0]?.complete();
    await waitForEffects();
    expect(entryTexts()).toEqual(['b sending', 'c sending']);
    for (const upload of pendingUploads) upload.complete();
    await waitForEffects();
    expect(entryTexts()).toEqual([]);
    expect(idleCounts).toEqual([3]);
  });

  it('reports the progress of each upload', () => {
    const { handlers, pendingUploads } = createUploads();
    uploads.enqueue(files('a'), handlers);
    pendingUploads[0]?.onProgress(0.4);
    expect(uploads.current()[0]?.progress).toBe(0.4);
  });

  it('reports a stalled upload with its progress', () => {
    const { handlers, pendingUploads } = createUploads();
    uploads.enqueue(files('a'), handlers);
    pendingUploads[0]?.onProgress(0.4);
    pendingUploads[0]?.onStalled('connection');
    expect(uploads.current()[0]).toMatchObject({ state: 'sending', stallReason: 'connection', progress: 0.4 });
    pendingUploads[0]?.onStalled(null);
    expect(uploads.current()[0]).toMatchObject({ stallReason: null, progress: 0.4 });
  });

  it('counts completed uploads until it is idle, and discards canceled ones', async () => {
    const { handlers, pendingUploads } = createUploads();
    const discardedKeys: string[] = [];
    uploads.enqueue(files('a', 'b'), { ...handlers, discard: (key) => discardedKeys.push(key) });
    pendingUploads[0]?.complete();
    await waitForEffects();
    expect(uploads.sentCount()).toBe(1);
    pendingUploads[1]?.fail(new Error('The file is empty'));
    await waitForEffects();
    expect(uploads.sentCount()).toBe(0);
    uploads.cancel(uploads.current()[0]?.id ?? '');
    expect(discardedKeys).toEqual([pendingUploads[1]?.idempotencyKey]);
  });

  it('keeps failed uploads with the reason, and retries them with the same key', async () => {
    const { handlers, pendingUploads, idleCounts } = createUploads();
    uploads.enqueue(files('a'), handlers);
    pendingUploads[0]?.fail(new Error('The file is empty'));
    await waitForEffects();
    const [failedUpload] = uploads.current();
    expect(failedUpload).toMatchObject({ state: 'failed', error: 'The file is empty' });
    expect(idleCounts).toEqual([0]);
    uploads.retry(failedUpload?.id ?? '');
    expect(entryTexts()).toEqual(['a sending']);
    expect(pendingUploads[1]?.idempotencyKey).toBe(pendingUploads[0]?.idempotencyKey);
    pendingUploads[1]?.complete();
    await waitForEffects();
    expect(entryTexts()).toEqual([]);
    expect(idleCounts).toEqual([0, 1]);
  });

  it('stops a canceled upload and continues with the next', async () => {
    const { handlers, pendingUploads, idleCounts } = createUploads();
    uploads.enqueue(files('a', 'b', 'c'), handlers);
    uploads.cancel(uploads.current()[0]?.id ?? '');
    expect(pendingUploads[0]?.signal.aborted).toBe(true);
    expect(entryTexts()).toEqual(['b sending', 'c sending']);
    await waitForEffects();
    for (const upload of pendingUploads.slice(1)) upload.complete();
    await waitForEffects();
    expect(idleCounts).toEqual([2]);
  });

  it('counts completed uploads even if the last one is canceled', async () => {
    const { handlers, pendingUploads, idleCounts } = createUploads();
    uploads.enqueue(files('a', 'b'), handlers);
    pendingUploads[0]?.complete();
    await waitForEffects();
    uploads.cancel(uploads.current()[0]?.id ?? '');
    await waitForEffects();
    expect(idleCounts).toEqual([1]);
  });

  it('stops when its user leaves, and neither shows nor sends their uploads for the next user', async () => {
    const { handlers, pendingUploads, idleCounts } = createUploads();
    uploads.enqueue(files('a', 'b', 'c'), handlers);
    pendingUploads[1]?.fail(new Error('The file is empty'));
    await waitForEffects();
    signInAs(buildUser('b'));
    await waitForEffects();
    expect(entryTexts()).toEqual([]);
    expect(pendingUploads.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    expect(idleCounts).toEqual([]);
    uploads.enqueue(files('d'), handlers);
    pendingUploads[0]?.complete();
    pendingUploads[3]?.complete();
    await waitForEffects();
    expect(pendingUploads).toHaveLength(4);
    expect(idleCounts).toEqual([1]);
  });
});

const lanes = createUserScopedStore<QueueState<{ lane: string; file: File }>>(emptyQueue, abortAll);
const ordered = createSendQueue(lanes, { concurrencyKey: ({ lane }) => lane, blocksUnload: () => true });

describe('an upload queue with concurrency keys', () => {
  it('sends uploads of one key sequentially and of different keys concurrently', async () => {
    const { handlers, pendingUploads } = createUploads();
    const [one, two, three] = files('one', 'two', 'three') as [File, File, File];
    const items = [
      { lane: 'a', file: one },
      { lane: 'a', file: two },
      { lane: 'b', file: three },
    ];
    ordered.enqueue(items, { ...handlers, send: ({ file }, options) => handlers.send(file, options) });
    expect(pendingUploads.map(({ name }) => name)).toEqual(['one', 'three']);
    pendingUploads[0]?.complete();
    await waitForEffects();
    expect(pendingUploads.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
    for (const { complete } of pendingUploads) complete();
    await waitForEffects();
    expect(ordered.current()).toEqual([]);
  });

  it('blocks unload for a failed upload until it is removed', async () => {
    const { handlers, pendingUploads } = createUploads();
    const [file] = files('one') as [File];
    ordered.enqueue([{ lane: 'a', file }], { ...handlers, send: (item, options) => handlers.send(item.file, options) });
    const cause = new Error('The file is empty');
    pendingUploads[0]?.fail(cause);
    await waitForEffects();
    expect(ordered.current()).toMatchObject([{ state: 'failed', error: 'The file is empty', cause }]);
    expect(isUnloadBlocked()).toBe(true);
    ordered.cancel(ordered.current()[0]?.id ?? '');
    expect(isUnloadBlocked()).toBe(false);
  });

  it('fails the uploads behind a failed one of the same key, and retries both in order', async () => {
    const { handlers, pendingUploads } = createUploads();
    const failing = createSendQueue(lanes, { concurrencyKey: ({ lane }) => lane, failsQueued: () => true });
    const items = files('one', 'two').map((file) => ({ lane: 'a', file }));
    failing.enqueue(items, { ...handlers, send: ({ file }, options) => handlers.send(file, options) });
    pendingUploads[0]?.fail(new Error('No connection'));
    await waitForEffects();
    expect(failing.current().map(({ state }) => state)).toEqual(['failed', 'failed']);
    for (const { id } of failing.current()) failing.retry(id);
    pendingUploads[1]?.complete();
    await waitForEffects();
    expect(pendingUploads.map(({ name }) => name)).toEqual(['one', 'one', 'two']);
    pendingUploads[2]?.complete();
    await waitForEffects();
  });
});
