import { describe, expect, it } from '@jest/globals';
import { continueLine, isInFence } from './continue-line.ts';
import { applyEdits, type FieldChange, mergeEdits } from './field-edits.ts';
import { type Format, format, type Selection } from './formatting.ts';

/** Reads a text in which brackets mark the selection, or one bar the caret. */
function selectionOf(marked: string): Selection {
  const start = marked.search(/[⟦|]/);
  if (marked[start] === '|') return { text: marked.replace('|', ''), start, end: start };
  return { text: marked.replace(/[⟦⟧]/g, ''), start, end: marked.indexOf('⟧') - 1 };
}

function resultOf({ text }: Selection, { edits, selection: [start, end] }: FieldChange): string {
  const result = applyEdits({ text }, edits).text;
  if (start === end) return `${result.slice(0, start)}|${result.slice(start)}`;
  return `${result.slice(0, start)}⟦${result.slice(start, end)}⟧${result.slice(end)}`;
}

describe('format', () => {
  it.each<[Format, string, string]>([
    ['bold', 'a ⟦b⟧ c', 'a **⟦b⟧** c'],
    ['bold', 'a **⟦b⟧** c', 'a ⟦b⟧ c'],
    ['bold', 'a |', 'a **|**'],
    ['bold', 'a **|**', 'a |'],
    ['bold', '**a|**', '**a**|'],
    ['italic', '**a|**', '**a*|***'],
    ['bold', '⟦ a ⟧', ' **⟦a⟧** '],
    ['bold', '⟦- a\n- b⟧', '- **⟦a**\n- **b⟧**'],
    ['bold', '*⟦a⟧*', '***⟦a⟧***'],
    ['italic', '⟦a⟧', '*⟦a⟧*'],
    ['italic', '*⟦a⟧*', '⟦a⟧'],
    ['italic', '**⟦a⟧**', '***⟦a⟧***'],
    ['italic', '***⟦a⟧***', '**⟦a⟧**'],
    ['strikethrough', '⟦a⟧', '~~⟦a⟧~~'],
    ['code', '⟦a⟧', '`⟦a⟧`'],
    ['code', '⟦a\nb⟧', '```\n⟦a\nb⟧\n```'],
    ['code-block', 'a |', 'a \n```\n|\n```'],
    ['code-block', '⟦a⟧', '```\n⟦a⟧\n```'],
    ['link', '⟦a⟧', '[a](⟦https://⟧)'],
    ['link', '⟦https://a.example⟧', '[⟦text⟧](https://a.example)'],
    ['link', '|', '[⟦text⟧](https://)'],
    ['bulleted-list', 'a|', '- a|'],
    ['bulleted-list', '⟦a\nb⟧', '- ⟦a\n- b⟧'],
    ['bulleted-list', '- a|', 'a|'],
    ['bulleted-list', '1. a|', '- a|'],
    ['numbered-list', '⟦a\nb⟧', '1. ⟦a\n2. b⟧'],
    ['numbered-list', '⟦1. a\n2. b⟧', '⟦a\nb⟧'],
    ['quote', 'a\nb|', 'a\n> b|'],
    ['quote', '> a|', 'a|'],
    ['quote', '- a|', '> - a|'],
  ])('makes %s of %j', (kind, before, after) => {
    const selection = selectionOf(before);
    expect(resultOf(selection, format(kind, selection))).toBe(after);
  });
});

describe('continueLine', () => {
  it.each([
    ['- a|', '- a\n- |'],
    ['  * a|', '  * a\n  * |'],
    ['1. a|', '1. a\n2. |'],
    ['9) a|', '9) a\n10) |'],
    ['> a|', '> a\n> |'],
    ['> - a|', '> - a\n> - |'],
    ['- a|b', '- a\n- |b'],
    ['a\n- |', 'a\n|'],
    ['> - |', '> |'],
    ['> |', '|'],
  ])('continues %j', (before, after) => {
    const selection = selectionOf(before);
    const change = continueLine(selection);
    expect(change && resultOf(selection, change)).toBe(after);
  });

  it.each(['a|', '-a|', '|- a', '```\n- a|', '- ⟦a⟧'])('leaves %j to the field', (before) => {
    expect(continueLine(selectionOf(before))).toBeNull();
  });

  it('knows whether a text ends in a block of code', () => {
    expect(['```', '```ts\na', '~~~\n```', '````\n```'].map(isInFence)).toEqual([true, true, true, true]);
    expect(['', '``', '```\na\n```', 'a ```', '~~~\n~~~'].map(isInFence)).toEqual([false, false, false, false, false]);
  });
});

describe('applyEdits', () => {
  const composed = { text: 'hi @Ann Lee!', mentions: [{ at: 3, text: '@Ann Lee', token: '<@1>' }] };

  it('moves mentions with their text, and drops those that are cut', () => {
    const around = [
      { from: 3, to: 3, text: '**' },
      { from: 11, to: 11, text: '**' },
    ];
    expect(applyEdits(composed, around)).toEqual({
      text: 'hi **@Ann Lee**!',
      mentions: [{ at: 5, text: '@Ann Lee', token: '<@1>' }],
    });
    expect(applyEdits(composed, [{ from: 5, to: 6, text: 'x' }]).mentions).toEqual([]);
    expect(applyEdits(composed, [{ from: 5, to: 5, text: 'x' }]).mentions).toEqual([]);
  });

  it('is one replacement for the field', () => {
    const edits = [
      { from: 3, to: 3, text: '**' },
      { from: 11, to: 12, text: '**' },
    ];
    expect(mergeEdits(composed.text, edits)).toEqual({ from: 3, to: 12, text: '**@Ann Lee**' });
  });
});
