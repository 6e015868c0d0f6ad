import type { Snippet } from '@atrium/proto-events/http/found';
import { stripMarkup } from './strip-markup.ts';

/** Private use characters (Unicode 17, 23.5), which stand for the ends of a match while its markup is removed. */
const START = '\ue000';
const END = '\ue001';
const MARKS = /[\ue000\ue001]/g;

/** Removes the markup of a snippet, also around its matches. */
export function toPlainSnippet(snippet: Snippet): Snippet {
  const marked = snippet.map(({ text, match }) => {
    const plain = text.replace(MARKS, '');
    return match ? START + plain + END : plain;
  });
  return stripMarkup(marked.join(''))
    .split(START)
    .flatMap((part, index) => {
      const [text = '', after] = part.split(END);
      const isMatch = index > 0 && after !== undefined;
      return [
        { text, match: isMatch },
        { text: after ?? '', match: false },
      ].filter((part) => part.text !== '');
    });
}
