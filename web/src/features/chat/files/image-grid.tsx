import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

/** In pixels. */
export type Size = { width: number; height: number };

/** Images in one row; `ratio` is the width of the whole row divided by its height. */
type ImageRow<Image> = { images: readonly { image: Image; ratio: number }[]; ratio: number };

/** Images with more extreme ratios are cropped. */
const MIN_RATIO = 0.6;
const MAX_RATIO = 2;
/** Limits the height of rows of narrow images. */
const MIN_ROW_RATIO = 1.8;

/** Limits of a single image in CSS pixels. */
const MAX_WIDTH = 480;
const MAX_HEIGHT = 320;
const MIN_WIDTH = 96;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

export function singleBox({ width, height }: Size): { maxWidth: number; ratio: number } {
  const ratio = clamp(width / height, MIN_RATIO / 1.5, MAX_RATIO * 2);
  return { ratio, maxWidth: Math.floor(Math.min(MAX_WIDTH, MAX_HEIGHT * ratio, Math.max(MIN_WIDTH, width))) };
}

/** Arranges images in rows of two or three by size alone, so that nothing moves when they load. */
export function imageRows<Image extends Size>(images: readonly Image[]): ImageRow<Image>[] {
  const rows: ImageRow<Image>[] = [];
  let start = 0;
  for (const length of rowLengths(images.length)) {
    const row = images.slice(start, start + length).map((image) => {
      return { image, ratio: clamp(image.width / image.height, MIN_RATIO, MAX_RATIO) };
    });
    const sum = row.reduce((total, { ratio }) => total + ratio, 0);
    rows.push({ images: row, ratio: Math.max(MIN_ROW_RATIO, sum) });
    start += length;
  }
  return rows;
}

/** Rows of three after as many rows of two as needed to leave no image alone: 4 = 2 + 2, 5 = 2 + 3, 7 = 2 + 2 + 3. */
function rowLengths(count: number): number[] {
  if (count <= 3) return count === 0 ? [] : [count];
  const twos = [0, 2, 1][count % 3] ?? 0;
  return [...Array<number>(twos).fill(2), ...Array<number>((count - twos * 2) / 3).fill(3)];
}

type Props<Image> = {
  images: readonly Image[];
  children: (image: Image) => ReactNode;
};

export function ImageGrid<Image extends Size & { _id: string }>({ images, children }: Props<Image>) {
  const [first] = images;
  if (!first) return null;
  if (images.length === 1) {
    const { maxWidth, ratio } = singleBox(first);
    return <div style={{ maxWidth, aspectRatio: ratio }}>{children(first)}</div>;
  }
  return (
    <Rows>
      {imageRows(images).map(({ images: row, ratio: rowRatio }) => (
        <Row key={row[0]?.image._id} style={{ aspectRatio: rowRatio }}>
          {row.map(({ image, ratio }) => (
            <div key={image._id} style={{ flexGrow: ratio }}>
              {children(image)}
            </div>
          ))}
        </Row>
      ))}
    </Rows>
  );
}

const Rows = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${theme.space[1]};
  max-width: 480px;
`;

const Row = styled.div`
  display: flex;
  gap: ${theme.space[1]};
  > div {
    flex-basis: 0;
    min-width: 0;
  }
`;
