import { toAsciiDigits } from '@atrium/proto-events/text/fold';
import { type RefObject, useEffect } from 'react';

/** Converts typed, pasted, and dropped digits of other scripts, because React Aria's fields accept only 0 to 9. */
export function useLatinDigits(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = field.current;
    const replace = (event: InputEvent) => {
      const text = event.data ?? event.dataTransfer?.getData('text/plain');
      if (!text || !event.cancelable || !/\p{Nd}/u.test(text) || toAsciiDigits(text) === text) return;
      event.preventDefault();
      event.stopPropagation();
      insert(event.target, toAsciiDigits(text));
    };
    element?.addEventListener('beforeinput', replace, { capture: true });
    return () => element?.removeEventListener('beforeinput', replace, { capture: true });
  }, [field]);
}

function insert(target: EventTarget | null, text: string): void {
  // Deprecated without a replacement: nothing else inserts text at the caret and keeps undo.
  if (target instanceof HTMLInputElement) document.execCommand('insertText', false, text);
  else
    target?.dispatchEvent(
      new InputEvent('beforeinput', { inputType: 'insertText', data: text, bubbles: true, cancelable: true }),
    );
}
