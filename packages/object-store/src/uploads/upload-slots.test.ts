import { afterEach, describe, expect, it } from '@jest/globals';
import { createUploadSlots, type SlotLimits } from './upload-slots.ts';

const LIMITS: SlotLimits = { concurrency: 3, perUser: 2, maxWaitingPerUser: 2, waitMs: 60_000 };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

/** All uploads end with the test: a waiting one would otherwise be rejected during another test. */
function createUploads(limits: Partial<SlotLimits> = {}) {
  const slots = createUploadSlots({ ...LIMITS, ...limits });
  const startedUploads: string[] = [];
  const ends = new Map<string, () => void>();
  const closing = new AbortController();
  const all: Promise<string>[] = [];
  cleanups.push(() => {
    closing.abort();
    for (const end of ends.values()) end();
    return Promise.allSettled(all);
  });
  const upload = (name: string, signal = closing.signal) => {
    const [userId = ''] = name;
    const upload = slots.run(
      () =>
        new Promise<string>((resolve) => {
          startedUploads.push(name);
          ends.set(name, () => resolve(name));
        }),
      { userId, signal },
    );
    all.push(upload);
    return upload;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { upload, end, startedUploads };
}

const TOO_MANY_UPLOADS = 'Too many uploads are running. Please try again in a moment.';

describe('createUploadSlots', () => {
  it('gives each user a share and leaves the rest to others', async () => {
    const { upload, end, startedUploads } = createUploads();
    for (const name of ['a1', 'a2', 'a3', 'b1']) void upload(name);
    expect(startedUploads).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(startedUploads).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(startedUploads).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('prefers users with the fewest running uploads, and alternates among equals', async () => {
    const { upload, end, startedUploads } = createUploads();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'e1']) void upload(name);
    await end('c1');
    await end('d1');
    await end('e1');
    expect(startedUploads).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'a2']);
  });

  it('gives no slot to a disconnected client', async () => {
    const { upload, startedUploads } = createUploads();
    await expect(upload('a1', AbortSignal.abort())).rejects.toThrow('The upload was interrupted');
    expect(startedUploads).toEqual([]);
  });

  it('rejects only a user with too many waiting uploads', async () => {
    const { upload, startedUploads } = createUploads();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void upload(name);
    await expect(upload('a5')).rejects.toThrow(TOO_MANY_UPLOADS);
    void upload('b1');
    expect(startedUploads).toEqual(['a1', 'a2', 'b1']);
  });

  it('rejects uploads that wait too long, and drops disconnected ones', async () => {
    const { upload, end, startedUploads } = createUploads({ concurrency: 1, waitMs: 20 });
    void upload('a1');
    await expect(upload('b1')).rejects.toThrow(TOO_MANY_UPLOADS);
    const client = new AbortController();
    const disconnected = upload('c1', client.signal);
    client.abort();
    await expect(disconnected).rejects.toThrow('The upload was interrupted');
    await end('a1');
    expect(startedUploads).toEqual(['a1']);
    void upload('d1');
    expect(startedUploads).toEqual(['a1', 'd1']);
  });

  it('releases the slot of a failed upload', async () => {
    const slots = createUploadSlots({ ...LIMITS, concurrency: 1 });
    const options = { userId: 'a', signal: new AbortController().signal };
    await expect(slots.run(() => Promise.reject(new Error('broken')), options)).rejects.toThrow('broken');
    expect(await slots.run(async () => 'whole', options)).toBe('whole');
  });
});
