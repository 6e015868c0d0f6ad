import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { ExtractionError } from '../extraction.ts';

/** Ordered by precedence: of adjacent separators, the last in this list is used. */
const GAPS = ['', ' ', '\t', '\n'] as const;
type Gap = (typeof GAPS)[number];

/** UTF-16 units. Strings are slices of the input, and are copied before they keep too much of it in memory. */
const COPY_THRESHOLD = 4096;

export type TextSink = {
  /** Keeps whitespace. Throws `truncated` at the limit. */
  write(text: string): void;
  /** Collapses whitespace. Throws `truncated` at the limit. */
  writeWords(text: string): void;
  /** Separates the next words from the previous ones. */
  gap(gap: Gap): void;
  bytes(): Buffer;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: not text, and PostgreSQL rejects NUL
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]+/g;

export function createTextSink(characters: number): TextSink {
  const chunks: Buffer[] = [];
  let pending = '';
  let remaining = characters;
  let pendingGap: Gap = '';

  const flush = () => {
    chunks.push(Buffer.from(toNormalForm(pending, 'NFC').replace(/\r\n?/g, '\n').replace(CONTROL, '')));
    pending = '';
  };
  const add = (text: string) => {
    pending += text.length > remaining ? text.slice(0, remaining) : text;
    remaining -= text.length;
    if (pending.length >= COPY_THRESHOLD) flush();
    if (remaining <= 0) throw new ExtractionError('truncated');
  };
  const gap = (wider: Gap) => {
    if (GAPS.indexOf(wider) > GAPS.indexOf(pendingGap)) pendingGap = wider;
  };

  return {
    write: add,
    writeWords(text) {
      const trimmed = text.trim();
      if (/^\s/.test(text)) gap(' ');
      if (trimmed === '') return;
      const before = remaining === characters ? '' : pendingGap;
      pendingGap = '';
      add(before + trimmed.replace(/\s+/g, ' '));
      if (/\s$/.test(text)) gap(' ');
    },
    gap,
    bytes() {
      flush();
      return Buffer.concat(chunks);
    },
  };
}
