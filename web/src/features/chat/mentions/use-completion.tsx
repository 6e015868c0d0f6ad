import { type KeyboardEvent, type RefObject, Suspense, type SyntheticEvent, useId, useRef, useState } from 'react';
import { isComposing } from '#lib/forms/is-composing.ts';
import { hasModifier } from '#lib/has-modifier.ts';
import { lazyNamed, loadChunk } from '#lib/lazy.ts';
import { type ComposedText, insertMention } from '../text/composed-text.ts';
import { useField } from '../text/use-field.ts';
import type { KeyHandler } from './completion-list.tsx';
import { findTrigger, findTypedCode } from './find-trigger.ts';
import type { MentionOption } from './mention-option.ts';
import type { replaceCode } from './replace-code.ts';

const CompletionList = lazyNamed(() => import('./completion-list.tsx'), 'CompletionList');

const replaceTypedCode = async (...args: Parameters<typeof replaceCode>) =>
  (await loadChunk(() => import('./replace-code.ts'))).replaceCode(...args);

type Params = {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: ComposedText;
  write: (draft: ComposedText) => void;
  conversationId: string;
};

/** Completes mentions and emoji in a field while they are typed. */
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
  const edits = useField({ field, draft, write });
  const onChange = (text: string, inputType?: string) => {
    const position = field.current?.selectionStart ?? text.length;
    setCaret(position);
    edits.onChange(text, inputType);
    const code = inputType === 'insertText' ? findTypedCode(text, position) : undefined;
    if (code !== undefined) void replaceTypedCode(edits, code, position);
  };
  const choose = ({ label, token, emoji }: MentionOption) => {
    if (!trigger) return;
    const { composed, caret: next } = insertMention(draft, { ...trigger, text: emoji ?? label, token });
    const { from, to } = trigger;
    const inserted = composed.text.slice(from, composed.text.length - (draft.text.length - to));
    const change = { edits: [{ from, to, text: inserted }], selection: [next, next] as const };
    edits.apply(change, emoji === undefined ? composed : undefined);
    setCaret(next);
  };
  return {
    edits,
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
      if (!trigger || isComposing(event) || event.shiftKey || hasModifier(event)) return false;
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
