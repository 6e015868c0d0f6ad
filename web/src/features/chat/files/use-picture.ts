import { useEffect, useState } from 'react';
import { askForPicture, knownPicture, type Picture } from './image-links.ts';

/** Initial polling delay while a thumbnail is being made; it grows with each attempt. */
const FIRST_PAUSE_MS = 700;
const LONGEST_PAUSE_MS = 30_000;

type Found = { id: string; picture: Picture; asked: number; hasFailed: boolean };

const begin = (id: string): Found => ({ id, picture: { state: 'pending' }, asked: 0, hasFailed: false });

/**
 * The thumbnail link of an image: requested when needed, polled while it is being made, and renewed once after a load failure. It does not
 * change while displayed, because the browser would reload the image.
 */
export function usePicture(id: string, isWanted: boolean): { picture: Picture; onError: () => void } {
  const [kept, setFound] = useState<Found>(() => begin(id));
  const found = kept.id === id ? kept : begin(id);
  const { picture, asked, hasFailed } = found;
  const isDue = isWanted && picture.state === 'pending';
  useEffect(() => {
    if (!isDue) return;
    let isOver = false;
    const note = (next: Picture) => {
      if (!isOver) setFound({ id, picture: next, asked: asked + 1, hasFailed });
    };
    const known = asked === 0 ? knownPicture(id) : undefined;
    const ask = () => void askForPicture(id).then(note, () => note({ state: 'none' }));
    const timer = setTimeout(() => (known ? note({ state: 'ready', url: known }) : ask()), pauseBefore(asked));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, isDue, asked, hasFailed]);
  // The link may have expired.
  const onError = () => {
    const isLast = hasFailed && picture.state === 'ready';
    const next: Picture = isLast ? { state: 'failed', url: picture.url } : { state: 'pending' };
    setFound({ id, picture: next, asked: isLast ? asked : 1, hasFailed: true });
  };
  return { picture, onError };
}

const pauseBefore = (asked: number) => (asked === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** asked));
