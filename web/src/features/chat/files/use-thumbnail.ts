import { useEffect, useState } from 'react';
import { fetchThumbnailState, getCachedLink, type ThumbnailState } from './image-links.ts';

/** Initial polling delay while a thumbnail is being made; it grows with each attempt. */
const INITIAL_POLL_DELAY_MS = 700;
const MAX_POLL_DELAY_MS = 30_000;

type Found = { id: string; picture: ThumbnailState; attempts: number; hasFailed: boolean };

const begin = (id: string): Found => ({ id, picture: { state: 'pending' }, attempts: 0, hasFailed: false });

/**
 * The thumbnail link of an image: requested when needed, polled while it is being made, and renewed once after a load failure. It does not
 * change while displayed, because the browser would reload the image.
 */
export function useThumbnail(id: string, isWanted: boolean): { picture: ThumbnailState; onError: () => void } {
  const [kept, setFound] = useState<Found>(() => begin(id));
  const found = kept.id === id ? kept : begin(id);
  const { picture, attempts, hasFailed } = found;
  const isDue = isWanted && picture.state === 'pending';
  useEffect(() => {
    if (!isDue) return;
    let isOver = false;
    const update = (next: ThumbnailState) => {
      if (!isOver) setFound({ id, picture: next, attempts: attempts + 1, hasFailed });
    };
    const known = attempts === 0 ? getCachedLink(id) : undefined;
    const request = () => void fetchThumbnailState(id).then(update, () => update({ state: 'none' }));
    const timer = setTimeout(
      () => (known ? update({ state: 'ready', url: known }) : request()),
      getPollDelay(attempts),
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, isDue, attempts, hasFailed]);
  // The link may have expired.
  const onError = () => {
    const isLast = hasFailed && picture.state === 'ready';
    const next: ThumbnailState = isLast ? { state: 'failed', url: picture.url } : { state: 'pending' };
    setFound({ id, picture: next, attempts: isLast ? attempts : 1, hasFailed: true });
  };
  return { picture, onError };
}

const getPollDelay = (attempts: number) =>
  attempts === 0 ? 0 : Math.min(MAX_POLL_DELAY_MS, INITIAL_POLL_DELAY_MS * 1.5 ** attempts);
