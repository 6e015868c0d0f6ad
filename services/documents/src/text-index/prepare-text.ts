import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DEFAULT_LIMITS } from '../extraction/extraction.ts';
import { foldInPlace, indexTerms, normalizeText } from './terms.ts';

export type PreparedText = { text: string; folded: string; terms: string[]; isTruncated: boolean };

/** UTF-16 units. A chunk takes a few milliseconds, or up to 30 with many distinct characters. */
const CHUNK_LENGTH = 10_000;
/**
 * PostgreSQL limits terms to a megabyte per row. A book has twenty thousand distinct words, and a text with many more
 * is a list of numbers.
 */
const MAX_TERMS = 50_000;
const MAX_TERM_BYTES = 800_000;

/**
 * Prepares extracted text for the index, and yields to the event loop in between. Truncates the text at the limit once
 * more, because a ligature may expand to eighteen letters.
 */
export async function prepareText(fullText: string, maxLength = DEFAULT_LIMITS.characters): Promise<PreparedText> {
  const chunks: string[] = [];
  const folded = [' '];
  const terms = new Set<string>();
  let remainingBytes = MAX_TERM_BYTES;
  let remainingLength = maxLength;
  let isTruncated = false;
  for (const chunk of splitIntoChunks(fullText)) {
    const normalized = normalizeText(chunk);
    isTruncated = normalized.length > remainingLength;
    const text = isTruncated ? normalized.slice(0, remainingLength).toWellFormed() : normalized;
    remainingLength -= text.length;
    chunks.push(text);
    folded.push(foldInPlace(text));
    for (const term of indexTerms(text)) {
      if (terms.has(term)) continue;
      remainingBytes -= Buffer.byteLength(term);
      if (remainingBytes < 0 || terms.size >= MAX_TERMS) break;
      terms.add(term);
    }
    if (isTruncated) break;
    await yieldToEventLoop();
  }
  return { text: chunks.join(''), folded: folded.join(''), terms: [...terms], isTruncated };
}

function* splitIntoChunks(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const gap = start + CHUNK_LENGTH >= text.length ? -1 : text.slice(start, start + CHUNK_LENGTH).search(/\s\S*$/);
    const end = gap > 0 ? start + gap : start + CHUNK_LENGTH;
    yield text.slice(start, end).toWellFormed();
    start = end;
  }
}
