import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { imageRows, singleBox } from './image-grid.tsx';

const sizes = (count: number) => Array.from({ length: count }, () => ({ width: 400, height: 300 }));
const lengths = (count: number) => imageRows(sizes(count)).map(({ images }) => images.length);

const size = fc.record({ width: fc.integer({ min: 1, max: 100_000 }), height: fc.integer({ min: 1, max: 100_000 }) });

describe('image rows', () => {
  it('lay out two or more images in rows of two or three', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(lengths)).toEqual([
      [1],
      [2],
      [3],
      [2, 2],
      [2, 3],
      [3, 3],
      [2, 2, 3],
      [2, 3, 3],
      [3, 3, 3],
      [2, 2, 3, 3],
    ]);
    expect(imageRows([])).toEqual([]);
  });

  it('size images by aspect ratio, so that all images of a row have the same height', () => {
    const [row] = imageRows([
      { width: 400, height: 300 },
      { width: 300, height: 400 },
    ]);
    expect(row?.images.map(({ ratio }) => ratio)).toEqual([4 / 3, 3 / 4]);
    expect(row?.ratio).toBeCloseTo(4 / 3 + 3 / 4);
  });

  it('contain every image once and in order, with bounded ratios for any sizes', () => {
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 10 }), (images) => {
        const rows = imageRows(images);
        expect(rows.flatMap((row) => row.images.map(({ image }) => image))).toEqual(images);
        for (const { ratio } of rows) {
          expect(ratio).toBeGreaterThanOrEqual(1.8);
          expect(ratio).toBeLessThanOrEqual(6);
        }
      }),
    );
  });

  it('show a single image at its natural size, up to a limit', () => {
    expect(singleBox({ width: 200, height: 100 })).toEqual({ maxWidth: 200, ratio: 2 });
    expect(singleBox({ width: 4_000, height: 3_000 }).maxWidth).toBe(426);
    fc.assert(
      fc.property(size, (image) => {
        const { maxWidth, ratio } = singleBox(image);
        expect(maxWidth).toBeLessThanOrEqual(480);
        expect(maxWidth / ratio).toBeLessThanOrEqual(321);
        expect(maxWidth).toBeGreaterThanOrEqual(96);
      }),
    );
  });
});
