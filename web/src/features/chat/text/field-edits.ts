import type { ComposedText } from './composed-text.ts';

/** Replaces a range of a text. */
export type Edit = { from: number; to: number; text: string };

/** Edits in the order of their positions, and what is selected in the new text. */
export type FieldChange = { edits: readonly Edit[]; selection: readonly [start: number, end: number] };

/** Applies edits. Mentions move with their text; one that is cut is no longer a mention. */
export function applyEdits(composed: ComposedText, edits: readonly Edit[]): ComposedText {
  let text = '';
  let end = 0;
  for (const edit of edits) {
    text += composed.text.slice(end, edit.from) + edit.text;
    end = edit.to;
  }
  text += composed.text.slice(end);
  const mentions = (composed.mentions ?? []).flatMap((mention) => {
    const mentionEnd = mention.at + mention.text.length;
    if (edits.some(({ from, to }) => from < mentionEnd && to > mention.at)) return [];
    return [{ ...mention, at: mention.at + shiftAt(edits, mention.at) }];
  });
  return { text, mentions };
}

/** How far edits that end at or before a position move what follows it. */
const shiftAt = (edits: readonly Edit[], position: number): number =>
  edits.reduce((shift, { from, to, text }) => (to <= position ? shift + text.length - (to - from) : shift), 0);

/** Returns the edits as one replacement, which is one step of the field's undo. */
export function mergeEdits(text: string, edits: readonly Edit[]): Edit {
  const from = edits[0]?.from ?? 0;
  const to = edits.at(-1)?.to ?? from;
  const merged = applyEdits({ text }, edits).text;
  return { from, to, text: merged.slice(from, merged.length - (text.length - to)) };
}

/** Replaces a range of a field as if it were typed, so that the browser can undo it. */
export function replaceText(field: HTMLTextAreaElement, { from, to, text }: Edit): void {
  const expected = field.value.slice(0, from) + text + field.value.slice(to);
  if (expected === field.value) return;
  field.focus();
  field.setSelectionRange(from, to);
  // Deprecated without a successor: nothing else keeps the undo of a field.
  if (text === '') document.execCommand?.('delete');
  else document.execCommand?.('insertText', false, text);
  if (field.value === expected) return;
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}
