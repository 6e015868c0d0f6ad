import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { ExtractionError } from './fault.ts';

/** What stands between two pieces of text; where several meet, the last of this list counts. */
const GAPS = ['', ' ', '\t', '\n'] as const;
type Gap = (typeof GAPS)[number];

/** Strings are slices of what was read: they are copied before too many of them hold on to all of it. */
const COPY_AT = 4096;

/** Takes the text of a file piece by piece. */
export type TextSink = {
  /** Adds text as it is, with its lines. Throws the fault `cut` once there is as much as is wanted. */
  write(text: string): void;
  /** Adds text of one paragraph, in which white space only parts words. Throws as `write` does. */
  words(text: string): void;
  /** Says that what comes next is another word, cell or paragraph. */
  gap(gap: Gap): void;
  /** All of it, as UTF-8. */
  bytes(): Buffer;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are no text, and PostgreSQL takes no NUL
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]+/g;

export function createTextSink(characters: number): TextSink {
  const done: Buffer[] = [];
  let pending = '';
  let left = characters;
  let next: Gap = '';

  const copy = () => {
    done.push(Buffer.from(toNormalForm(pending, 'NFC').replace(/\r\n?/g, '\n').replace(CONTROL, '')));
    pending = '';
  };
  const add = (text: string) => {
    pending += text.length > left ? text.slice(0, left) : text;
    left -= text.length;
    if (pending.length >= COPY_AT) copy();
    if (left <= 0) throw new ExtractionError('cut');
  };
  const gap = (wider: Gap) => {
    if (GAPS.indexOf(wider) > GAPS.indexOf(next)) next = wider;
  };

  return {
    write: add,
    words(text) {
      const inner = text.trim();
      if (/^\s/.test(text)) gap(' ');
      if (inner === '') return;
      const before = left === characters ? '' : next;
      next = '';
      add(before + inner.replace(/\s+/g, ' '));
      if (/\s$/.test(text)) gap(' ');
    },
    gap,
    bytes() {
      copy();
      return Buffer.concat(done);
    },
  };
}
