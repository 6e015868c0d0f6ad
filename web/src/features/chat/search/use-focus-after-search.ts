import { useEffect, useRef } from 'react';
import { SEQ_ATTRIBUTE } from '../read-receipts/use-read-position.ts';

/** Returns focus to what opened the search, or to the messages if that is not shown anymore. */
export function useFocusAfterSearch(isOpen: boolean) {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const hasClosed = wasOpen.current && !isOpen;
    wasOpen.current = isOpen;
    if (!hasClosed) return;
    const frame = requestAnimationFrame(() => focusAfterSearch(opener.current));
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  return {
    recordOpener(): void {
      opener.current = document.activeElement;
    },
  };
}

function focusAfterSearch(opener: Element | null): void {
  // After a navigation, the screen itself has focus.
  const isUnfocused = (document.activeElement ?? document.body).matches('body, main');
  if (!isUnfocused) return;
  const isShown = opener instanceof HTMLElement && opener.checkVisibility({ visibilityProperty: true });
  const target = isShown ? opener : findMessages();
  target?.focus({ preventScroll: true });
}

/** Finds the scroller of the messages. A field would open the keyboard of a phone. */
const findMessages = () =>
  document.querySelector(`[${SEQ_ATTRIBUTE}]`)?.closest<HTMLElement>('[role=region][tabindex]') ?? null;
