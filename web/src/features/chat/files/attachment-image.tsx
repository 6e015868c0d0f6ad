import { FileText } from 'lucide-react';
import { useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { NO_PICTURE } from '../../../entities/file-viewer/viewed-file.ts';
import { useInView } from '../../../lib/hooks/use-in-view.ts';
import { pictureFailure } from '../../../lib/picture-failure.ts';
import { theme } from '../../../ui/theme.ts';
import type { Pictured } from './image-attachments.ts';
import type { Picture } from './image-links.ts';
import { usePicture } from './use-picture.ts';

type Props = {
  image: Pictured;
  onOpen: () => void;
  /** The file name next to it opens the same file. */
  isBesideName?: boolean;
};

/** The thumbnail of an image, loaded when it becomes visible; opens the viewer. */
export function AttachmentImage({ image, onOpen, isBesideName = false }: Props) {
  const place = useRef<HTMLButtonElement>(null);
  const { picture, onError } = usePicture(image._id, useInView(place));
  const { name, width, height } = image;
  const isReady = picture.state === 'ready';
  return (
    <Place ref={place} onPress={onOpen} aria-label={`Open ${name}`} excludeFromTabOrder={isBesideName}>
      {(picture.state === 'none' || picture.state === 'failed') && (
        <None title={whyNone(picture)}>
          <FileText aria-hidden="true" />
          <span>{whyNone(picture)}</span>
        </None>
      )}
      {isReady && <img src={picture.url} width={width} height={height} alt="" decoding="async" onError={onError} />}
    </Place>
  );
}

function whyNone(picture: Picture): string | undefined {
  if (picture.state === 'failed') return pictureFailure(picture.url);
  return picture.state === 'none' && picture.reason ? NO_PICTURE[picture.reason] : undefined;
}

const Place = styled(Button)`
  display: grid;
  place-items: center;
  width: 100%;
  height: 100%;
  min-width: 0;
  padding: 0;
  border: 0;
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
  color: ${theme.color.text3};
  overflow: hidden;
  cursor: zoom-in;
  container-type: inline-size;
  &[data-focus-visible] {
    outline: none;
    box-shadow: ${theme.shadow.focus};
  }
  img {
    display: block;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
`;

const None = styled.span`
  display: grid;
  justify-items: center;
  gap: ${theme.space[1]};
  padding: ${theme.space[2]};
  font: ${theme.text.sm};
  text-align: center;
  overflow-wrap: anywhere;
  /* In a list its place is as small as an icon. */
  @container (max-width: 120px) {
    span {
      display: none;
    }
  }
`;
