/** Pixels of an image. */
export type Size = { width: number; height: number };

/** Images beside each other; `ratio` is that of the whole row, width by height. */
export type ImageRow<Image> = { images: readonly { image: Image; ratio: number }[]; ratio: number };

/** Extremes are cut off. */
const NARROWEST = 0.6;
const WIDEST = 2;
/** A row of narrow ones would stand too high. */
const HIGHEST_ROW = 1.8;

/** How wide an image is drawn that stands alone, at most, and how high, in CSS pixels. */
const MOST_WIDTH = 480;
const MOST_HEIGHT = 320;
const LEAST_WIDTH = 96;

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** Where an image stands alone: as large as it is, up to a limit. Very long ones are cut off. */
export function singleBox({ width, height }: Size): { maxWidth: number; ratio: number } {
  const ratio = between(NARROWEST / 1.5, width / height, WIDEST * 2);
  return { ratio, maxWidth: Math.floor(Math.min(MOST_WIDTH, MOST_HEIGHT * ratio, Math.max(LEAST_WIDTH, width))) };
}

/** Lays images in rows of two or three by their sizes alone, so that nothing moves when they load. */
export function imageRows<Image extends Size>(images: readonly Image[]): ImageRow<Image>[] {
  const rows: ImageRow<Image>[] = [];
  let start = 0;
  for (const length of rowLengths(images.length)) {
    const row = images.slice(start, start + length).map((image) => {
      return { image, ratio: between(NARROWEST, image.width / image.height, WIDEST) };
    });
    const sum = row.reduce((total, { ratio }) => total + ratio, 0);
    rows.push({ images: row, ratio: Math.max(HIGHEST_ROW, sum) });
    start += length;
  }
  return rows;
}

/** Rows of three, behind so many of two that none stands alone: 4 are 2 and 2, 5 are 2 and 3, 7 are 2, 2 and 3. */
function rowLengths(count: number): number[] {
  if (count <= 3) return count === 0 ? [] : [count];
  const twos = [0, 2, 1][count % 3] ?? 0;
  return [...Array<number>(twos).fill(2), ...Array<number>((count - twos * 2) / 3).fill(3)];
}
