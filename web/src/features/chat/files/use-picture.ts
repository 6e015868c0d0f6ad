import { useEffect, useState } from 'react';
import { askForPicture, knownPicture, type Picture } from './image-links.ts';

/** A picture that is being made is asked for after so long, and then less and less often. */
const FIRST_PAUSE_MS = 700;
const LONGEST_PAUSE_MS = 30_000;

type Found = { id: string; picture: Picture; asked: number; hasFailed: boolean };

const begin = (id: string): Found => ({ id, picture: { state: 'pending' }, asked: 0, hasFailed: false });

/**
 * The small picture of an image, asked for once it is wanted, again while it is being made, and once more where what its link led to could
 * not be shown. It stays the same while it is shown, or the browser would load it anew.
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
  // The first time its link may have run out.
  const onError = () => {
    const isLast = hasFailed && picture.state === 'ready';
    const next: Picture = isLast ? { state: 'failed', url: picture.url } : { state: 'pending' };
    setFound({ id, picture: next, asked: isLast ? asked : 1, hasFailed: true });
  };
  return { picture, onError };
}

const pauseBefore = (asked: number) => (asked === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.5 ** asked));
