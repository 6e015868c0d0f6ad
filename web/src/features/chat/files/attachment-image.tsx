import type { Attachment } from '@atrium/proto-events/http/chat/attachments';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { previewKind } from '@atrium/proto-events/preview-kind';
import { FileText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { THUMBNAIL_ERRORS } from '#entities/file-viewer/viewed-file.ts';
import { isFinal } from '#lib/api/api-error.ts';
import { useInView } from '#lib/hooks/use-in-view.ts';
import { pictureFailure } from '#lib/picture-failure.ts';
import { onConnected } from '#realtime/connection/status.ts';
import { focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import type { Size } from './image-grid.tsx';
import { fetchThumbnailState, getCachedLink, type ThumbnailState } from './image-links.ts';

const PREVIEWABLE_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

export const isPreviewable = (mimetype: string): boolean => PREVIEWABLE_TYPES.has(mimetype);

type ImageAttachment = Attachment & Size;

export const isImageAttachment = <File extends Attachment>(file: File): file is File & Size =>
  previewKind(file.mimetype) === 'image' && file.width !== undefined && file.height !== undefined && !file.fileLost;

export const listFiles = (messages: readonly Message[]): Attachment[] =>
  messages.flatMap(({ deleted, attachments = [] }) => (deleted ? [] : attachments.filter(({ fileLost }) => !fileLost)));

const INITIAL_POLL_DELAY_MS = 700;
const MAX_POLL_DELAY_MS = 30_000;

type ThumbnailRequest = { id: string; picture: ThumbnailState; attempts: number; hasFailed: boolean };

const newRequest = (id: string): ThumbnailRequest => ({
  id,
  picture: { state: 'pending' },
  attempts: 0,
  hasFailed: false,
});

/**
 * Polls while the thumbnail is being created or cannot be requested, and renews its link once after a load failure. The
 * link does not change while it is displayed, because the browser would reload the image.
 */
function useThumbnail(id: string, isWanted: boolean): { picture: ThumbnailState; onError: () => void } {
  const [stored, setStored] = useState<ThumbnailRequest>(() => newRequest(id));
  const current = stored.id === id ? stored : newRequest(id);
  const { picture, attempts, hasFailed } = current;
  const isDue = isWanted && picture.state === 'pending';
  useEffect(() => {
    if (!isDue) return;
    let isCancelled = false;
    const update = (next: ThumbnailState) => {
      if (!isCancelled) setStored({ id, picture: next, attempts: attempts + 1, hasFailed });
    };
    const cachedUrl = attempts === 0 ? getCachedLink(id) : undefined;
    const fetchState = () =>
      void fetchThumbnailState(id).then(update, (error: unknown) =>
        update(isFinal(error) ? { state: 'none' } : { state: 'pending' }),
      );
    const timer = setTimeout(
      () => (cachedUrl ? update({ state: 'ready', url: cachedUrl }) : fetchState()),
      getPollDelay(attempts),
    );
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [id, isDue, attempts, hasFailed]);
  useEffect(() => {
    return onConnected(() =>
      setStored((before) => (before.picture.state === 'failed' ? newRequest(before.id) : before)),
    );
  }, []);
  // The link may have expired.
  const onError = () => {
    const isLast = hasFailed && picture.state === 'ready';
    const next: ThumbnailState = isLast ? { state: 'failed', url: picture.url } : { state: 'pending' };
    setStored({ id, picture: next, attempts: isLast ? attempts : 1, hasFailed: true });
  };
  return { picture, onError };
}

const getPollDelay = (attempts: number) =>
  attempts === 0 ? 0 : Math.min(MAX_POLL_DELAY_MS, INITIAL_POLL_DELAY_MS * 1.5 ** attempts);

type Props = {
  image: ImageAttachment;
  onOpen: () => void;
  /** The file name next to it opens the same file. */
  isBesideName?: boolean;
};

export function AttachmentImage({ image, onOpen, isBesideName = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const { picture, onError } = useThumbnail(image._id, useInView(button));
  const { name, width, height } = image;
  const isReady = picture.state === 'ready';
  return (
    <ImageButton ref={button} onPress={onOpen} aria-label={`Open ${name}`} excludeFromTabOrder={isBesideName}>
      {(picture.state === 'none' || picture.state === 'failed') && (
        <None title={errorText(picture)}>
          <FileText aria-hidden="true" />
          <span>{errorText(picture)}</span>
        </None>
      )}
      {isReady && <img src={picture.url} width={width} height={height} alt="" decoding="async" onError={onError} />}
    </ImageButton>
  );
}

function errorText(picture: ThumbnailState): string | undefined {
  if (picture.state === 'failed') return pictureFailure(picture.url);
  return picture.state === 'none' && picture.reason ? THUMBNAIL_ERRORS[picture.reason] : undefined;
}

const ImageButton = styled(Button)`
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
  ${focusRing}
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
  @container (max-width: 120px) {
    span {
      display: none;
    }
  }
`;
