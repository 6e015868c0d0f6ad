import { FileText } from 'lucide-react';
import { useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { THUMBNAIL_ERRORS } from '#entities/file-viewer/viewed-file.ts';
import { useInView } from '#lib/hooks/use-in-view.ts';
import { pictureFailure } from '#lib/picture-failure.ts';
import { theme } from '#ui/theme.ts';
import type { ImageAttachment } from './image-attachments.ts';
import type { ThumbnailState } from './image-links.ts';
import { useThumbnail } from './use-thumbnail.ts';

type Props = {
  image: ImageAttachment;
  onOpen: () => void;
  /** The file name next to it opens the same file. */
  isBesideName?: boolean;
};

/** The thumbnail of an image, loaded when it becomes visible; opens the viewer. */
export function AttachmentImage({ image, onOpen, isBesideName = false }: Props) {
  const place = useRef<HTMLButtonElement>(null);
  const { picture, onError } = useThumbnail(image._id, useInView(place));
  const { name, width, height } = image;
  const isReady = picture.state === 'ready';
  return (
    <Place ref={place} onPress={onOpen} aria-label={`Open ${name}`} excludeFromTabOrder={isBesideName}>
      {(picture.state === 'none' || picture.state === 'failed') && (
        <None title={errorText(picture)}>
          <FileText aria-hidden="true" />
          <span>{errorText(picture)}</span>
        </None>
      )}
      {isReady && <img src={picture.url} width={width} height={height} alt="" decoding="async" onError={onError} />}
    </Place>
  );
}

function errorText(picture: ThumbnailState): string | undefined {
  if (picture.state === 'failed') return pictureFailure(picture.url);
  return picture.state === 'none' && picture.reason ? THUMBNAIL_ERRORS[picture.reason] : undefined;
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
  /* In a list it is as small as an icon. */
  @container (max-width: 120px) {
    span {
      display: none;
    }
  }
`;
