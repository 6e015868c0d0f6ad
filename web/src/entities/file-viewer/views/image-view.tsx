import { styled } from 'styled-components';
import { pictureFailure } from '#lib/picture-failure.ts';
import { theme } from '#ui/theme.ts';
import type { ViewProps } from '../viewed-file.ts';
import { ViewerCanvas } from '../viewer-canvas.ts';

/** Fits the image into the viewer without enlarging it. */
export function ImageView({ file, url, onFailure }: ViewProps) {
  return (
    <Frame>
      <img src={url} alt={file.name} onError={() => onFailure(pictureFailure(url))} />
    </Frame>
  );
}

const Frame = styled(ViewerCanvas)`
  overflow: hidden;
  img {
    position: absolute;
    inset: ${theme.space[4]};
    width: calc(100% - 2 * ${theme.space[4]});
    height: calc(100% - 2 * ${theme.space[4]});
    object-fit: scale-down;
  }
  ${theme.media.small} {
    img {
      inset: 0;
      width: 100%;
      height: 100%;
    }
  }
`;
