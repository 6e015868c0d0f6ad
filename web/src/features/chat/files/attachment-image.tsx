import { ImageOff } from 'lucide-react';
import { useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { useInView } from '../../../lib/use-in-view.ts';
import { theme } from '../../../ui/theme.ts';
import type { Picture } from './pictures.ts';
import { useLink } from './use-link.ts';

type Props = { image: Picture; onOpen: () => void };

/** An image of a message, which fills its place; loaded once that is in view. A press opens it. */
export function AttachmentImage({ image, onOpen }: Props) {
  const place = useRef<HTMLButtonElement>(null);
  const { url, hasFailed, onError } = useLink(image._id, useInView(place));
  const { name, width, height } = image;
  return (
    <Place ref={place} onPress={onOpen} aria-label={`Open ${name}`}>
      {hasFailed && <ImageOff aria-hidden="true" />}
      {url !== undefined && !hasFailed && (
        <img src={url} width={width} height={height} alt="" loading="lazy" decoding="async" onError={onError} />
      )}
    </Place>
  );
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
