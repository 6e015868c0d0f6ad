import { beforeEach, describe, expect, it } from '@jest/globals';
import { aPerson } from '../../../test/a-person.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { cancelUpload, currentUploads, enqueueUploads, retryUpload, type UploadWork } from './upload-queue.ts';
import type { SendOptions } from './use-document-actions.ts';

type Sent = SendOptions & { name: string; arrive: () => void; fail: (error: Error) => void };

/** Files whose arrival the test decides. */
function aWork() {
  const sent: Sent[] = [];
  const idle: number[] = [];
  const work: UploadWork = {
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
const shown = () => currentUploads().map(({ file, state }) => `${file.name} ${state}`);
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  signInAs(aPerson('a'));
  for (const { id } of currentUploads()) cancelUpload(id);
});

describe('the queue of uploads', () => {
  it('sends two at a time and takes off what has arrived', async () => {
    const { work, sent, idle } = aWork();
    enqueueUploads(files('a', 'b', 'c'), work);
    expect(shown()).toEqual(['a sending', 'b sending', 'c waiting']);
    sent[0]?.arrive();
    await settled();
    expect(shown()).toEqual(['b sending', 'c sending']);
    for (const one of sent) one.arrive();
    await settled();
    expect(shown()).toEqual([]);
    expect(idle).toEqual([3]);
  });

  it('shows how far each is', () => {
    const { work, sent } = aWork();
    enqueueUploads(files('a'), work);
    sent[0]?.onProgress(0.4);
    expect(currentUploads()[0]?.progress).toBe(0.4);
  });

  it('keeps what failed with the reason, and sends it again under the same key', async () => {
    const { work, sent, idle } = aWork();
    enqueueUploads(files('a'), work);
    sent[0]?.fail(new Error('The file is empty'));
    await settled();
    const [failed] = currentUploads();
    expect(failed).toMatchObject({ state: 'failed', error: 'The file is empty' });
    expect(idle).toEqual([0]);
    retryUpload(failed?.id ?? '');
    expect(shown()).toEqual(['a sending']);
    expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
    sent[1]?.arrive();
    await settled();
    expect(shown()).toEqual([]);
    expect(idle).toEqual([0, 1]);
  });

  it('stops one that is cancelled and goes on with the next', async () => {
    const { work, sent, idle } = aWork();
    enqueueUploads(files('a', 'b', 'c'), work);
    cancelUpload(currentUploads()[0]?.id ?? '');
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(shown()).toEqual(['b sending', 'c sending']);
    await settled();
    for (const one of sent.slice(1)) one.arrive();
    await settled();
    expect(idle).toEqual([2]);
  });

  it('counts what arrived also when the last one is cancelled', async () => {
    const { work, sent, idle } = aWork();
    enqueueUploads(files('a', 'b'), work);
    sent[0]?.arrive();
    await settled();
    cancelUpload(currentUploads()[0]?.id ?? '');
    await settled();
    expect(idle).toEqual([1]);
  });

  it('stops with whoever began it, and shows and sends nothing of theirs to the next', async () => {
    const { work, sent, idle } = aWork();
    enqueueUploads(files('a', 'b', 'c'), work);
    sent[1]?.fail(new Error('The file is empty'));
    await settled();
    signInAs(aPerson('b'));
    await settled();
    expect(shown()).toEqual([]);
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    expect(idle).toEqual([]);
    enqueueUploads(files('d'), work);
    sent[0]?.arrive();
    sent[3]?.arrive();
    await settled();
    expect(sent).toHaveLength(4);
    expect(idle).toEqual([1]);
  });
});
