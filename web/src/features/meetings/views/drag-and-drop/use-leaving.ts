import { type RefObject, useEffect } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';

/** While on, reports that the focus left `root` or that the pointer was pressed anywhere. */
export function useLeaving(root: RefObject<HTMLElement | null>, isOn: boolean, onLeave: () => void): void {
  const leave = useStableCallback(onLeave);
  useEffect(() => {
    if (!isOn) return;
    const look = ({ target }: FocusEvent) => {
      if (target instanceof Node && root.current?.contains(target) === false) leave();
    };
    document.addEventListener('focusin', look);
    // In the capture phase, before the pressed element can start a move.
    document.addEventListener('pointerdown', leave, true);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [root, isOn, leave]);
}
