import { type RefObject, useEffect } from 'react';
import { useStableCallback } from '../../../../lib/hooks/use-stable-callback.ts';

/** While it is on: tells that the focus went elsewhere than into `root`, or that somebody pressed anywhere. */
export function useLeaving(root: RefObject<HTMLElement | null>, isOn: boolean, onLeave: () => void): void {
  const leave = useStableCallback(onLeave);
  useEffect(() => {
    if (!isOn) return;
    const look = ({ target }: FocusEvent) => {
      if (target instanceof Node && root.current?.contains(target) === false) leave();
    };
    document.addEventListener('focusin', look);
    // Before what is pressed hears of it, which may begin a move of its own.
    document.addEventListener('pointerdown', leave, true);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [root, isOn, leave]);
}
