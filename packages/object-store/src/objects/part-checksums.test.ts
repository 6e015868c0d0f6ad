import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createPartChecksums, type PartChecksums } from './part-checksums.ts';

const PARTS = ['{"first": "', 'second', '"}'].map((text) => Buffer.from(text));
const etagOf = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
const stored = (parts: readonly Buffer[]) =>
  parts.map((bytes, at) => ({ number: at + 1, size: bytes.length, etag: etagOf(bytes) }));

function pass(meters: PartChecksums, number: number, bytes: Buffer | undefined = PARTS[number - 1]): boolean {
  const part = meters.follow('a', number);
  part?.add(bytes ?? Buffer.alloc(0));
  part?.keep(etagOf(bytes ?? Buffer.alloc(0)));
  return part !== undefined;
}

describe('of a file whose parts pass one after the other', () => {
  it('is known what a reading would tell', async () => {
    const meters = createPartChecksums();
    for (const number of [1, 2, 3]) expect(pass(meters, number)).toBe(true);
    const whole = Buffer.concat(PARTS);
    expect(await meters.measured('a', stored(PARTS))).toMatchObject({
      size: whole.length,
      sha256: createHash('sha256').update(whole).digest('hex'),
      mimetype: 'application/json',
    });
    meters.forget('a');
    expect(meters.measured('a', stored(PARTS))).toBeUndefined();
  });

  it('counts a part that broke off and came again once', async () => {
    const meters = createPartChecksums();
    pass(meters, 1);
    meters.follow('a', 2)?.add(Buffer.from('half'));
    const [one, other] = [meters.follow('a', 2), meters.follow('a', 2)];
    for (const part of [one, other]) part?.add(PARTS[1] as Buffer);
    for (const part of [one, other]) part?.keep(etagOf(PARTS[1] as Buffer));
    pass(meters, 3);
    const sha256 = createHash('sha256').update(Buffer.concat(PARTS)).digest('hex');
    expect(await meters.measured('a', stored(PARTS))).toMatchObject({ sha256 });
  });
});

describe('nothing is known of a file', () => {
  it('of which a part went another way, or came before its turn', () => {
    const meters = createPartChecksums();
    pass(meters, 1);
    expect(pass(meters, 3)).toBe(false);
    expect(meters.measured('a', stored(PARTS))).toBeUndefined();
  });

  it('whose part was replaced by another one, here or elsewhere', () => {
    const meters = createPartChecksums();
    for (const number of [1, 2, 3]) pass(meters, number);
    expect(pass(meters, 2, Buffer.from('other'))).toBe(false);
    expect(meters.measured('a', stored([PARTS[0], Buffer.from('other'), PARTS[2]] as Buffer[]))).toBeUndefined();
  });

  it('whose store does not say what it calls a part', () => {
    const meters = createPartChecksums();
    meters.follow('a', 1)?.keep('');
    expect(meters.measured('a', [{ number: 1, size: 0, etag: '' }])).toBeUndefined();
  });

  it('that is the oldest of too many', () => {
    const meters = createPartChecksums(1);
    pass(meters, 1);
    meters.follow('b', 1)?.keep('x');
    expect(meters.measured('a', stored(PARTS.slice(0, 1)))).toBeUndefined();
    expect(meters.measured('b', [{ number: 1, size: 0, etag: 'x' }])).toBeDefined();
  });
});
