import { setImmediate as breathe } from 'node:timers/promises';
import { DEFAULT_LIMITS } from '../extraction/extraction.ts';
import { foldInPlace, indexTerms, normalText } from './terms.ts';

/** A text as it is kept: as it is shown in pieces, as it is compared, and what it is found by. */
export type PreparedText = { text: string; folded: string; terms: string[]; isCut: boolean };

/** How much is prepared at once, in units of UTF-16: some milliseconds, and some 30 where every character is new. */
const PIECE = 10_000;
/** PostgreSQL takes a megabyte of terms for a row. A book has twenty thousand words; what has more is a list of numbers. */
const MOST_TERMS = 50_000;
const MOST_TERM_BYTES = 800_000;

/**
 * Takes the text of a file apart, piece by piece, so that requests need not wait for it. What is over its limit as it is kept is cut: a
 * ligature may stand for eighteen letters.
 */
export async function prepareText(given: string, most = DEFAULT_LIMITS.characters): Promise<PreparedText> {
  const pieces: string[] = [];
  const folded = [' '];
  const terms = new Set<string>();
  let room = MOST_TERM_BYTES;
  let left = most;
  let isCut = false;
  for (const piece of piecesOf(given)) {
    const whole = normalText(piece);
    isCut = whole.length > left;
    const text = isCut ? whole.slice(0, left).toWellFormed() : whole;
    left -= text.length;
    pieces.push(text);
    folded.push(foldInPlace(text));
    for (const term of indexTerms(text)) {
      if (terms.has(term)) continue;
      room -= Buffer.byteLength(term);
      if (room < 0 || terms.size >= MOST_TERMS) break;
      terms.add(term);
    }
    if (isCut) break;
    await breathe();
  }
  return { text: pieces.join(''), folded: folded.join(''), terms: [...terms], isCut };
}

/** Cut between words where there are any. */
function* piecesOf(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const gap = at + PIECE >= text.length ? -1 : text.slice(at, at + PIECE).search(/\s\S*$/);
    const end = gap > 0 ? at + gap : at + PIECE;
    yield text.slice(at, end).toWellFormed();
    at = end;
  }
}
