import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { isUnloadBlocked } from '../forms/unsaved-changes.ts';
import { createUserScopedStore } from '../session/user-scoped-store.ts';
import { abortAll, createSendQueue, emptyQueue, type QueueState, type Sender, type SendOptions } from './send-queue.ts';

const store = createUserScopedStore<QueueState<File>>(emptyQueue, abortAll);
const uploads = createSendQueue(store);

type Sent = SendOptions & { name: string; arrive: () => void; fail: (error: Error) => void };

/** Uploads that the test completes. */
function createUploads() {
  const sent: Sent[] = [];
  const idle: number[] = [];
  const work: Omit<Sender<File>, 'onFailed'> = {
    send: (file, options) =>
      new Promise((resolve, reject) => {
        sent.push({ ...options, name: file.name, arrive: resolve, fail: reject });
        options.signal.addEventListener('abort', () => reject(new DOMException('Upload cancelled', 'AbortError')));
      }),
    explain: (error) => (error instanceof Error ? error.message : 'Failed to upload files'),
    onIdle: (arrived) => idle.push(arrived),
  };
  return { work, sent, idle };
}

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const shown = () => uploads.current().map(({ item, state }) => `${item.name} ${state}`);
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  signInAs(buildUser('a'));
  for (const { id } of uploads.current()) uploads.cancel(id);
});

describe('the upload queue', () => {
  it('sends two at a time and removes completed ones', async () => {
    const { work, sent, idle } = createUploads();
    uploads.enqueue(files('a', 'b', 'c'), work);
    expect(shown()).toEqual(['a sending', 'b sending', 'c waiting']);
    sent[0]?.arrive();
    await settled();
    expect(shown()).toEqual(['b sending', 'c sending']);
    for (const one of sent) one.arrive();
    await settled();
    expect(shown()).toEqual([]);
    expect(idle).toEqual([3]);
  });

  it('reports the progress of each', () => {
    const { work, sent } = createUploads();
    uploads.enqueue(files('a'), work);
    sent[0]?.onProgress(0.4);
    expect(uploads.current()[0]?.progress).toBe(0.4);
  });

  it('reports a stalled upload with its progress', () => {
    const { work, sent } = createUploads();
    uploads.enqueue(files('a'), work);
    sent[0]?.onProgress(0.4);
    sent[0]?.onStalled(true);
    expect(uploads.current()[0]).toMatchObject({ state: 'sending', isStalled: true, progress: 0.4 });
    sent[0]?.onStalled(false);
    expect(uploads.current()[0]).toMatchObject({ isStalled: false, progress: 0.4 });
  });

  it('counts completed uploads until it is idle, and discards cancelled ones', async () => {
    const { work, sent } = createUploads();
    const gone: string[] = [];
    uploads.enqueue(files('a', 'b'), { ...work, discard: (key) => gone.push(key) });
    sent[0]?.arrive();
    await settled();
    expect(uploads.arrived()).toBe(1);
    sent[1]?.fail(new Error('The file is empty'));
    await settled();
    expect(uploads.arrived()).toBe(0);
    uploads.cancel(uploads.current()[0]?.id ?? '');
    expect(gone).toEqual([sent[1]?.idempotencyKey]);
  });

  it('keeps failed uploads with the reason, and retries them with the same key', async () => {
    const { work, sent, idle } = createUploads();
    uploads.enqueue(files('a'), work);
    sent[0]?.fail(new Error('The file is empty'));
    await settled();
    const [failed] = uploads.current();
    expect(failed).toMatchObject({ state: 'failed', error: 'The file is empty' });
    expect(idle).toEqual([0]);
    uploads.retry(failed?.id ?? '');
    expect(shown()).toEqual(['a sending']);
    expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
    sent[1]?.arrive();
    await settled();
    expect(shown()).toEqual([]);
    expect(idle).toEqual([0, 1]);
  });

  it('stops a cancelled upload and continues with the next', async () => {
    const { work, sent, idle } = createUploads();
    uploads.enqueue(files('a', 'b', 'c'), work);
    uploads.cancel(uploads.current()[0]?.id ?? '');
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(shown()).toEqual(['b sending', 'c sending']);
    await settled();
    for (const one of sent.slice(1)) one.arrive();
    await settled();
    expect(idle).toEqual([2]);
  });

  it('counts completed uploads also when the last one is cancelled', async () => {
    const { work, sent, idle } = createUploads();
    uploads.enqueue(files('a', 'b'), work);
    sent[0]?.arrive();
    await settled();
    uploads.cancel(uploads.current()[0]?.id ?? '');
    await settled();
    expect(idle).toEqual([1]);
  });

  it('stops when its user leaves, and neither shows nor sends their uploads for the next user', async () => {
    const { work, sent, idle } = createUploads();
    uploads.enqueue(files('a', 'b', 'c'), work);
    sent[1]?.fail(new Error('The file is empty'));
    await settled();
    signInAs(buildUser('b'));
    await settled();
    expect(shown()).toEqual([]);
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    expect(idle).toEqual([]);
    uploads.enqueue(files('d'), work);
    sent[0]?.arrive();
    sent[3]?.arrive();
    await settled();
    expect(sent).toHaveLength(4);
    expect(idle).toEqual([1]);
  });
});

const lanes = createUserScopedStore<QueueState<{ lane: string; file: File }>>(emptyQueue, abortAll);
const ordered = createSendQueue(lanes, { concurrencyKey: ({ lane }) => lane, blocksUnload: () => true });

describe('an upload queue with concurrency keys', () => {
  it('sends uploads of one key sequentially and of different keys concurrently', async () => {
    const { work, sent } = createUploads();
    const [one, two, three] = files('one', 'two', 'three') as [File, File, File];
    const items = [
      { lane: 'a', file: one },
      { lane: 'a', file: two },
      { lane: 'b', file: three },
    ];
    ordered.enqueue(items, { ...work, send: ({ file }, options) => work.send(file, options) });
    expect(sent.map(({ name }) => name)).toEqual(['one', 'three']);
    sent[0]?.arrive();
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
    for (const { arrive } of sent) arrive();
    await settled();
    expect(ordered.current()).toEqual([]);
  });

  it('blocks unload for a failed upload until it is removed', async () => {
    const { work, sent } = createUploads();
    const [file] = files('one') as [File];
    ordered.enqueue([{ lane: 'a', file }], { ...work, send: (item, options) => work.send(item.file, options) });
    const cause = new Error('The file is empty');
    sent[0]?.fail(cause);
    await settled();
    expect(ordered.current()).toMatchObject([{ state: 'failed', error: 'The file is empty', cause }]);
    expect(isUnloadBlocked()).toBe(true);
    ordered.cancel(ordered.current()[0]?.id ?? '');
    expect(isUnloadBlocked()).toBe(false);
  });

  it('fails the uploads behind a failed one of the same key, and retries both in order', async () => {
    const { work, sent } = createUploads();
    const failing = createSendQueue(lanes, { concurrencyKey: ({ lane }) => lane, failsQueued: () => true });
    const items = files('one', 'two').map((file) => ({ lane: 'a', file }));
    failing.enqueue(items, { ...work, send: ({ file }, options) => work.send(file, options) });
    sent[0]?.fail(new Error('No connection'));
    await settled();
    expect(failing.current().map(({ state }) => state)).toEqual(['failed', 'failed']);
    for (const { id } of failing.current()) failing.retry(id);
    sent[1]?.arrive();
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(['one', 'one', 'two']);
    sent[2]?.arrive();
    await settled();
  });
});
