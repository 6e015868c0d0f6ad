import type { Edit, FieldChange } from './field-edits.ts';

export type Format =
  | 'bold'
  | 'italic'
  | 'strikethrough'
  | 'code'
  | 'link'
  | 'bulleted-list'
  | 'numbered-list'
  | 'quote'
  | 'code-block';

export type Selection = { text: string; start: number; end: number };

const MARKS: Partial<Record<Format, string>> = { bold: '**', italic: '*', strikethrough: '~~', code: '`' };

/** What a line of a list or a quote starts with. */
const LINE_PREFIX = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*/;

/** Formats a selection, or takes the format away where it is. */
export function format(kind: Format, selection: Selection): FieldChange {
  const mark = MARKS[kind];
  if (mark === '`' && selectedText(selection).includes('\n')) return formatCodeBlock(selection);
  if (mark !== undefined) return toggleMark(selection, mark);
  if (kind === 'link') return formatLink(selection);
  if (kind === 'code-block') return formatCodeBlock(selection);
  return togglePrefix(selection, kind);
}

const selectedText = ({ text, start, end }: Selection) => text.slice(start, end);

function toggleMark(selection: Selection, mark: string): FieldChange {
  const { text, start, end } = selection;
  if (isMarked(selection, mark)) {
    const size = mark.length;
    return {
      edits: [
        { from: start - size, to: start, text: '' },
        { from: end, to: end + size, text: '' },
      ],
      selection: [start - size, end - size],
    };
  }
  // At the end of what is marked, the caret moves out of it.
  if (start === end && countMarks(text.slice(end), mark) > 0)
    return { edits: [], selection: [end + mark.length, end + mark.length] };
  if (start === end)
    return {
      edits: [{ from: start, to: end, text: mark + mark }],
      selection: [start + mark.length, start + mark.length],
    };
  const edits = linesOf(selection).flatMap(({ from, to }): Edit[] => {
    const line = text.slice(from, to);
    const content = line.trim();
    const at = from + line.indexOf(content);
    if (content === '') return [];
    return [
      { from: at, to: at, text: mark },
      { from: at + content.length, to: at + content.length, text: mark },
    ];
  });
  return { edits, selection: selectBetween(edits, [start, end]) };
}

const isMarked = ({ text, start, end }: Selection, mark: string): boolean =>
  countMarks(text.slice(0, start).split('').reverse().join(''), mark) > 0 && countMarks(text.slice(end), mark) > 0;

/** Counts a mark at the start of a text. Two asterisks are bold, so only an odd number of them is italic, too. */
function countMarks(text: string, mark: string): number {
  const sign = mark.charAt(0);
  let count = 0;
  while (text.charAt(count) === sign) count += 1;
  return mark === '*' ? count % 2 : Math.floor(count / mark.length);
}

/** Returns the parts of the selection in each line, without prefixes that are selected in full. */
function linesOf({ text, start, end }: Selection): { from: number; to: number }[] {
  const lines: { from: number; to: number }[] = [];
  let from = start;
  for (const line of text.slice(start, end).split('\n')) {
    const isWhole = from === 0 || text[from - 1] === '\n';
    const prefix = isWhole ? (LINE_PREFIX.exec(line)?.[0].length ?? 0) : 0;
    lines.push({ from: from + prefix, to: from + line.length });
    from += line.length + 1;
  }
  return lines;
}

/** Selects what was selected, between the first and the last mark. */
function selectBetween(edits: readonly Edit[], fallback: [number, number]): [number, number] {
  const [first] = edits;
  const last = edits.at(-1);
  if (!first || !last) return fallback;
  const added = edits.reduce((sum, { text }) => sum + text.length, 0);
  return [first.from + first.text.length, last.from + added - last.text.length];
}

const LINK_TEXT = 'text';
const ADDRESS = /^https?:\/\/\S+$/i;

function formatLink({ text, start, end }: Selection): FieldChange {
  const selected = text.slice(start, end);
  const isAddress = ADDRESS.test(selected);
  const before: Edit = { from: start, to: start, text: isAddress ? `[${LINK_TEXT}](` : '[' };
  const after: Edit = { from: end, to: end, text: isAddress ? ')' : '](https://)' };
  if (start === end) {
    const link = `[${LINK_TEXT}](https://)`;
    return { edits: [{ from: start, to: end, text: link }], selection: [start + 1, start + 1 + LINK_TEXT.length] };
  }
  if (isAddress) return { edits: [before, after], selection: [start + 1, start + 1 + LINK_TEXT.length] };
  const address = end + '[]('.length;
  return { edits: [before, after], selection: [address, address + 'https://'.length] };
}

function formatCodeBlock({ text, start, end }: Selection): FieldChange {
  const opening = `${start === 0 || text[start - 1] === '\n' ? '' : '\n'}\`\`\`\n`;
  const closing = `\n\`\`\`${end === text.length || text[end] === '\n' ? '' : '\n'}`;
  const selection = [start + opening.length, end + opening.length] as const;
  if (start === end) return { edits: [{ from: start, to: end, text: opening + closing }], selection };
  const edits = [
    { from: start, to: start, text: opening },
    { from: end, to: end, text: closing },
  ];
  return { edits, selection };
}

const PREFIXES = {
  'bulleted-list': { pattern: /^[ \t]*[-*+][ \t]+/, at: () => '- ' },
  'numbered-list': { pattern: /^[ \t]*\d{1,9}[.)][ \t]+/, at: (index: number) => `${index + 1}. ` },
  quote: { pattern: /^[ \t]*>[ \t]?/, at: () => '> ' },
};

const ANY_LIST = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

function togglePrefix({ text, start, end }: Selection, kind: Format): FieldChange {
  const { pattern, at } = PREFIXES[kind as keyof typeof PREFIXES];
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const lines = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd).split('\n');
  const isOn = lines.every((line) => pattern.test(line));
  const removed = isOn ? pattern : kind === 'quote' ? null : ANY_LIST;
  let from = lineStart;
  const edits = lines.map((line, index): Edit => {
    const length = removed?.exec(line)?.[0].length ?? 0;
    const edit = { from, to: from + length, text: isOn ? '' : at(index) };
    from += line.length + 1;
    return edit;
  });
  const [first] = edits;
  const added = edits.reduce((sum, edit) => sum + edit.text.length - (edit.to - edit.from), 0);
  const firstAdded = first ? first.text.length - (first.to - first.from) : 0;
  return { edits, selection: [Math.max(lineStart, start + firstAdded), Math.max(lineStart, end + added)] };
}
