import type { FieldChange } from './field-edits.ts';
import type { Selection } from './formatting.ts';

/** Quotes, then one item of a list. */
const PREFIX = /^((?:[ \t]*>)*)([ \t]*)(?:([-*+]|(\d{1,8})([.)]))([ \t]+))?/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Starts the next line of a list or a quote as the current one starts. An empty item ends its list. */
export function continueLine({ text, start, end }: Selection): FieldChange | null {
  if (start !== end || isInFence(text.slice(0, start))) return null;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(lineStart, start);
  const [prefix = '', quote = '', indent = '', bullet, number, delimiter = '', space = ''] = PREFIX.exec(line) ?? [];
  if (prefix.trim() === '') return null;
  if (line.trim() === prefix.trim() && line.length <= prefix.length) {
    const kept = bullet === undefined || quote === '' ? '' : `${quote} `;
    return {
      edits: [{ from: lineStart, to: start, text: kept }],
      selection: [lineStart + kept.length, lineStart + kept.length],
    };
  }
  const item = number === undefined ? (bullet ?? '') : `${Number(number) + 1}${delimiter}`;
  const added = `\n${quote}${indent}${item}${space}`;
  return { edits: [{ from: start, to: end, text: added }], selection: [start + added.length, start + added.length] };
}

/** Whether a text ends within a block of code. */
export function isInFence(text: string): boolean {
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const found = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = found;
    else if (found?.startsWith(fence) && line.trim() === found) fence = undefined;
  }
  return fence !== undefined;
}
