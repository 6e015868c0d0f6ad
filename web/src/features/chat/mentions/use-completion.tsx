import { type KeyboardEvent, type RefObject, Suspense, type SyntheticEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isComposing } from '#lib/forms/is-composing.ts';
import { lazyNamed } from '#lib/lazy.ts';
import type { KeyHandler } from './completion-list.tsx';
import { type ComposedText, insertMention, withText } from './composed-text.ts';
import { findTrigger } from './find-trigger.ts';
import type { MentionOption } from './use-mention-options.ts';

const CompletionList = lazyNamed(() => import('./completion-list.tsx'), 'CompletionList');

type Params = {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: ComposedText;
  write: (draft: ComposedText) => void;
  conversationId: string;
};

/** Completes mentions in a field while they are typed. */
export function useCompletion({ field, draft, write, conversationId }: Params) {
  const listId = useId();
  const keys = useRef<KeyHandler>(null);
  /** Null until something is typed. */
  const [caret, setCaret] = useState<number | null>(null);
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const found = caret === null ? null : findTrigger(draft, caret);
  if (dismissedAt !== null && found?.from !== dismissedAt) setDismissedAt(null);
  const trigger = found?.from === dismissedAt ? null : found;
  const onChange = (text: string) => {
    const position = field.current?.selectionStart ?? text.length;
    setCaret(position);
    write(withText(draft, text, position));
  };
  const choose = ({ label, token }: MentionOption) => {
    if (!trigger) return;
    const { composed, caret: next } = insertMention(draft, { ...trigger, text: label, token });
    // The caret can only be placed in the new text.
    flushSync(() => write(composed));
    field.current?.focus();
    field.current?.setSelectionRange(next, next);
    setCaret(next);
  };
  return {
    fieldProps: {
      value: draft.text,
      onChange,
      onBlur: () => setCaret(null),
      onSelect({ currentTarget: { selectionStart, selectionEnd } }: SyntheticEvent<HTMLTextAreaElement>) {
        if (caret !== null) setCaret(selectionStart === selectionEnd ? selectionStart : null);
      },
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': activeId === null ? undefined : listId,
      'aria-activedescendant': activeId ?? undefined,
    } as const,
    /** Returns whether the list has handled a key, so that it means nothing else. */
    handleKey(event: KeyboardEvent): boolean {
      const { shiftKey, ctrlKey, altKey, metaKey } = event;
      if (!trigger || isComposing(event) || shiftKey || ctrlKey || altKey || metaKey) return false;
      if (keys.current?.(event.key) !== true) return false;
      event.preventDefault();
      return true;
    },
    list: trigger && (
      <Suspense fallback={null}>
        <CompletionList
          id={listId}
          trigger={trigger}
          conversationId={conversationId}
          field={field}
          keys={keys}
          onActive={setActiveId}
          onChoose={choose}
          onClose={() => setDismissedAt(trigger.from)}
        />
      </Suspense>
    ),
  };
}
