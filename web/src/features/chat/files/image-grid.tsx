import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { imageRows, type Size, singleBox } from './image-rows.ts';

type Props<Image> = {
  images: readonly Image[];
  children: (image: Image) => ReactNode;
};

/** Images in rows; the layout is fixed before anything loads. */
export function ImageGrid<Image extends Size & { _id: string }>({ images, children }: Props<Image>) {
  const [first] = images;
  if (!first) return null;
  if (images.length === 1) {
    const { maxWidth, ratio } = singleBox(first);
    return <div style={{ maxWidth, aspectRatio: ratio }}>{children(first)}</div>;
  }
  return (
    <Rows>
      {imageRows(images).map(({ images: row, ratio: whole }) => (
        <Row key={row[0]?.image._id} style={{ aspectRatio: whole }}>
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
