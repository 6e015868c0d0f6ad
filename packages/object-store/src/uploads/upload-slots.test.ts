import { afterEach, describe, expect, it } from '@jest/globals';
import { createUploadSlots, type SlotLimits } from './upload-slots.ts';

const LIMITS: SlotLimits = { atOnce: 3, perPerson: 2, waitingPerPerson: 2, waitMs: 60_000 };

const over: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of over.splice(0)) await end();
});

/** Uploads that end when the test says so, and all with it: one still waiting would be refused in somebody else's test. */
function aHall(limits: Partial<SlotLimits> = {}) {
  const slots = createUploadSlots({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const closing = new AbortController();
  const all: Promise<string>[] = [];
  over.push(() => {
    closing.abort();
    for (const end of ends.values()) end();
    return Promise.allSettled(all);
  });
  const upload = (name: string, signal = closing.signal) => {
    const [userId = ''] = name;
    const one = slots.run(
      () =>
        new Promise<string>((resolve) => {
          begun.push(name);
          ends.set(name, () => resolve(name));
        }),
      { userId, signal },
    );
    all.push(one);
    return one;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { upload, end, begun };
}

const TOO_MANY_UPLOADS = 'Too many uploads are running. Please try again in a moment.';

describe('the slots of uploads', () => {
  it('give one person a share and leave the rest to the others', async () => {
    const { upload, end, begun } = aHall();
    for (const name of ['a1', 'a2', 'a3', 'b1']) void upload(name);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('go first to who has fewest running, and in turn among equals', async () => {
    const { upload, end, begun } = aHall();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'e1']) void upload(name);
    await end('c1');
    await end('d1');
    await end('e1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'a2']);
  });

  it('are not taken for who has gone already', async () => {
    const { upload, begun } = aHall();
    await expect(upload('a1', AbortSignal.abort())).rejects.toThrow('The upload was interrupted');
    expect(begun).toEqual([]);
  });

  it('refuse a person with too many waiting, and only them', async () => {
    const { upload, begun } = aHall();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void upload(name);
    await expect(upload('a5')).rejects.toThrow(TOO_MANY_UPLOADS);
    void upload('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('refuse whom they keep waiting too long, and forget who has gone', async () => {
    const { upload, end, begun } = aHall({ atOnce: 1, waitMs: 20 });
    void upload('a1');
    await expect(upload('b1')).rejects.toThrow(TOO_MANY_UPLOADS);
    const gone = new AbortController();
    const leaving = upload('c1', gone.signal);
    gone.abort();
    await expect(leaving).rejects.toThrow('The upload was interrupted');
    await end('a1');
    expect(begun).toEqual(['a1']);
    void upload('d1');
    expect(begun).toEqual(['a1', 'd1']);
  });

  it('come back also from an upload that fails', async () => {
    const slots = createUploadSlots({ ...LIMITS, atOnce: 1 });
    const given = { userId: 'a', signal: new AbortController().signal };
    await expect(slots.run(() => Promise.reject(new Error('broken')), given)).rejects.toThrow('broken');
    expect(await slots.run(async () => 'whole', given)).toBe('whole');
  });
});
