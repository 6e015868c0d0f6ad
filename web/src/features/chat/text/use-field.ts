import { type RefObject, useRef } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { type ComposedText, withText } from './composed-text.ts';
import { applyEdits, type FieldChange, mergeEdits, replaceText } from './field-edits.ts';

const MAX_STEPS = 100;

type Step = ComposedText & { caret?: number | undefined };

type Params = {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: ComposedText;
  write: (draft: ComposedText) => void;
};

/** The text of a field with its mentions, however it changes: by keys, by a command, or by the field's undo. */
export function useField({ field, draft, write }: Params) {
  const expected = useRef<ComposedText>(null);
  /** What the field's undo and redo return to, by text: mentions, and the caret where nothing was selected. */
  const steps = useRef(new Map<string, Step>());
  const record = (composed: ComposedText, caret?: number) => {
    const step = { caret: steps.current.get(composed.text)?.caret, ...composed, ...(caret !== undefined && { caret }) };
    if (!step.mentions?.length && step.caret === undefined) return;
    steps.current.delete(step.text);
    steps.current.set(step.text, step);
    const [oldest] = steps.current.keys();
    if (steps.current.size > MAX_STEPS && oldest !== undefined) steps.current.delete(oldest);
  };
  const onChange = useStableCallback((text: string, inputType?: string) => {
    const step = inputType?.startsWith('history') ? steps.current.get(text) : undefined;
    const known = step && { text, mentions: step.mentions };
    const commanded = expected.current?.text === text ? expected.current : undefined;
    const next = commanded ?? known ?? withText(draft, text, field.current?.selectionStart ?? text.length);
    record(draft);
    record(next);
    write(next);
    // Browsers select what a command had replaced.
    if (step?.caret !== undefined) field.current?.setSelectionRange(step.caret, step.caret);
  });
  /** `composed` is the result if it contains more mentions. */
  const apply = useStableCallback(
    ({ edits, selection }: FieldChange, composed: ComposedText = applyEdits(draft, edits)) => {
      if (!field.current) return;
      const { selectionStart, selectionEnd } = field.current;
      if (selectionStart === selectionEnd) record(draft, selectionStart);
      expected.current = composed;
      replaceText(field.current, mergeEdits(draft.text, edits));
      expected.current = null;
      field.current.setSelectionRange(selection[0], selection[1]);
    },
  );
  /** Replaces the selection, and places the caret behind the new text. */
  const insert = useStableCallback((text: string) => {
    const { selectionStart: from = draft.text.length, selectionEnd: to = from } = field.current ?? {};
    const caret = from + text.length;
    apply({ edits: [{ from, to, text }], selection: [caret, caret] });
  });
  return { field, draft, onChange, apply, insert };
}

export type Field = ReturnType<typeof useField>;
