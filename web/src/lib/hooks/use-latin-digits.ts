import { toAsciiDigits } from '@atrium/proto-events/text/digits';
import { type RefObject, useEffect } from 'react';

/**
 * Lets fields within an element that only read 0 to 9, as those of React Aria, take the digits of every script: what is typed, pasted,
 * or dropped is inserted with Latin digits instead.
 */
export function useLatinDigits(within: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = within.current;
    const replace = (event: InputEvent) => {
      const text = event.data ?? event.dataTransfer?.getData('text/plain');
      if (!text || !event.cancelable || !/\p{Nd}/u.test(text) || toAsciiDigits(text) === text) return;
      event.preventDefault();
      event.stopPropagation();
      insert(event.target, toAsciiDigits(text));
    };
    element?.addEventListener('beforeinput', replace, { capture: true });
    return () => element?.removeEventListener('beforeinput', replace, { capture: true });
  }, [within]);
}

function insert(target: EventTarget | null, text: string): void {
  // Deprecated without a replacement: nothing else inserts text where the caret is and keeps undo.
  if (target instanceof HTMLInputElement) document.execCommand('insertText', false, text);
  else
    target?.dispatchEvent(
      new InputEvent('beforeinput', { inputType: 'insertText', data: text, bubbles: true, cancelable: true }),
    );
}
