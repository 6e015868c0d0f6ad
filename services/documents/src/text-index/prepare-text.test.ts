import { describe, expect, it } from '@jest/globals';
import { prepareText } from './prepare-text.ts';

const LIMIT = 1_000_000;
/** One character that stands for eighteen. */
const LIGATURE = '\ufdfa';

describe('a text as it is kept', () => {
  it('is whole where it fits', async () => {
    const { text, isCut } = await prepareText('word '.repeat(LIMIT / 5));
    expect({ length: text.length, isCut }).toEqual({ length: LIMIT, isCut: false });
  });

  it('is cut where its letters taken apart are more than fit', async () => {
    const { text, folded, isCut } = await prepareText(LIGATURE.repeat(LIMIT));
    expect({ length: text.length, isCut }).toEqual({ length: LIMIT, isCut: true });
    // It begins with a space.
    expect(folded).toHaveLength(LIMIT + 1);
    const short = await prepareText(`so ${LIGATURE}`, 10);
    expect(short).toMatchObject({ text: `so ${LIGATURE.normalize('NFKC').slice(0, 7)}`, isCut: true });
  });

  it.each([
    ['marks', `a${'\u0345'.repeat(24_999)}${'\u0334'.repeat(25_000)}`],
    ['letters that become marks', `a${'\u0345'.repeat(24_999)}${'\uff9e'.repeat(25_000)}`],
    [
      'ever new characters',
      Array.from({ length: 25_000 }, (_, index) => String.fromCodePoint(0x4_0000 + index)).join(''),
    ],
  ])('takes no longer for %s than for letters', async (_kind, text) => {
    const timeOf = async (given: string) => {
      const start = performance.now();
      await prepareText(given);
      return performance.now() - start;
    };
    const letters = 'word '.repeat(10_000);
    await timeOf(letters);
    expect(await timeOf(text)).toBeLessThan(10 * (await timeOf(letters)) + 50);
  });
});
