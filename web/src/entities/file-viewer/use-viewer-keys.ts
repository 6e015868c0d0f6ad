import { useEffect } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { keyLetter } from '#lib/key-letter.ts';
import { areSingleKeysOn } from '#lib/single-key-shortcuts.ts';

type Keys = { onTurn: (by: -1 | 1) => void; onFullScreen: (() => void) | undefined };

/** Arrow keys go to the next or previous file, `f` toggles full screen. The dialog handles Escape. */
export function useViewerKeys({ onTurn, onFullScreen }: Keys): void {
  const press = useStableCallback((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target)) return;
    if (event.key === 'ArrowLeft') onTurn(-1);
    else if (event.key === 'ArrowRight') onTurn(1);
    else if (keyLetter(event) === 'f' && onFullScreen && areSingleKeysOn()) onFullScreen();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [press]);
}

/** Audio and video seek with the arrow keys, and wide content scrolls. */
function hasOwnKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, audio, video, [contenteditable]')) return true;
  return target.getAttribute('role') === 'region' && target.scrollWidth > target.clientWidth;
}
