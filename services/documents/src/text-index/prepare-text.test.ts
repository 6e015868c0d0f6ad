import { shortestCpuTime } from '@atrium/test-kit/shortest-cpu-time';
import { describe, expect, it } from '@jest/globals';
import { prepareText } from './prepare-text.ts';

const LIMIT = 1_000_000;
/** One character that normalizes to eighteen. */
const LIGATURE = '\ufdfa';

describe('prepareText', () => {
  it('keeps text within the limit', async () => {
    const { text, isTruncated } = await prepareText('word '.repeat(LIMIT / 5));
    expect({ length: text.length, isTruncated }).toEqual({ length: LIMIT, isTruncated: false });
  });

  it('truncates text that exceeds the limit when decomposed', async () => {
    const { text, folded, isTruncated } = await prepareText(LIGATURE.repeat(LIMIT));
    expect({ length: text.length, isTruncated }).toEqual({ length: LIMIT, isTruncated: true });
    expect(folded).toHaveLength(LIMIT + 1);
    const shortText = await prepareText(`so ${LIGATURE}`, 10);
    expect(shortText).toMatchObject({ text: `so ${LIGATURE.normalize('NFKC').slice(0, 7)}`, isTruncated: true });
  });

  it.each([
    ['marks', `a${'\u0345'.repeat(24_999)}${'\u0334'.repeat(25_000)}`],
    ['letters that become marks', `a${'\u0345'.repeat(24_999)}${'\uff9e'.repeat(25_000)}`],
    [
      'many distinct characters',
      Array.from({ length: 25_000 }, (_, index) => String.fromCodePoint(0x4_0000 + index)).join(''),
    ],
  ])('takes no longer for %s than for letters', async (_kind, text) => {
    const cpuMs = (input: string) => shortestCpuTime(() => prepareText(input));
    const letters = 'word '.repeat(10_000);
    expect(await cpuMs(text)).toBeLessThan(10 * (await cpuMs(letters)) + 50);
  });
});
