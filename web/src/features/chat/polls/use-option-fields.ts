import { MAX_POLL_OPTIONS, MIN_POLL_OPTIONS } from '@atrium/proto-events/http/chat/message-parts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isComposing } from '#lib/forms/is-composing.ts';

type OptionField = { key: number; text: string };

const EMPTY: readonly OptionField[] = [
  { key: 0, text: '' },
  { key: 1, text: '' },
];

/** The options of a new poll. Enter adds one after the last, and Backspace removes an empty one. */
export function useOptionFields() {
  const [options, setOptions] = useState(EMPTY);
  const list = useRef<HTMLDivElement>(null);
  /** The field to focus once it is rendered. */
  const focusIndex = useRef<number | null>(null);
  const listFields = () => [...(list.current?.querySelectorAll('input') ?? [])];
  useEffect(() => {
    if (focusIndex.current === null) return;
    listFields()[focusIndex.current]?.focus();
    focusIndex.current = null;
  });
  const add = () => {
    if (options.length === MAX_POLL_OPTIONS) return;
    focusIndex.current = options.length;
    setOptions([...options, { key: Math.max(...options.map(({ key }) => key)) + 1, text: '' }]);
  };
  const remove = (key: number) => {
    if (options.length <= MIN_POLL_OPTIONS) return;
    focusIndex.current = Math.max(0, options.findIndex((option) => option.key === key) - 1);
    setOptions(options.filter((option) => option.key !== key));
  };
  return {
    options,
    list,
    add,
    remove,
    write: (key: number, text: string) =>
      setOptions(options.map((option) => (option.key === key ? { ...option, text } : option))),
    onKeyDown(event: KeyboardEvent): void {
      const inputs = listFields();
      const index = inputs.indexOf(event.target as HTMLInputElement);
      const option = options[index];
      if (!option || isComposing(event) || event.ctrlKey || event.metaKey) return;
      if (event.key === 'Enter' && option.text !== '') {
        event.preventDefault();
        if (index === options.length - 1) add();
        else inputs[index + 1]?.focus();
      } else if (event.key === 'Backspace' && option.text === '' && options.length > MIN_POLL_OPTIONS) {
        event.preventDefault();
        remove(option.key);
      }
    },
  };
}
