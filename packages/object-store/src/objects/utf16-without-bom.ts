import { type DecodedText, decode, type Head } from './decode.ts';

/** Never in a text: controls other than line breaks and tabs, surrogates, and unassigned code points. */
const NEVER = /[\p{Cn}\p{Co}\p{Cs}]|(?![\t\n\f\r])\p{Cc}/u;
/** Characters common to texts of all languages: spaces, line breaks, digits, and punctuation. */
const SHARED = /[\t\n\r\u0020-\u0040\u3000-\u3002\uff01-\uff20]/gu;
const LATIN = /[\u0041-\u024f]/gu;
/** Nearly all characters of a text in one of these scripts; hardly any in other data, or in the wrong byte order. */
const ONE_SCRIPT =
  /^(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{P}\s]+|[\p{sc=Hang}\p{P}\s]+|[\p{sc=Thai}\p{P}\s]+|[\p{sc=Deva}\p{P}\s]+|[\p{sc=Arab}\p{P}\s]+|[\p{sc=Hebr}\p{P}\s]+|[\p{sc=Cyrl}\p{P}\s]+|[\p{sc=Grek}\p{P}\s]+)$/u;
const MIN_OF_ONE_SCRIPT = 8;
const MIN_BYTES = 8;
const MIN_SHARED = 0.02;
const SAMPLE_CHARACTERS = 16 * 1024;

/**
 * UTF-16 text without a byte-order mark. In the wrong byte order, and in other data, ordinary characters become rare
 * or impossible ones: the order with more of the common characters is the right one.
 */
export function findUtf16({ bytes, whole }: Head): DecodedText | undefined {
  if (bytes.length < MIN_BYTES || (whole && bytes.length % 2 === 1)) return undefined;
  const candidates = ['utf-16le', 'utf-16be'].flatMap((encoding) => {
    const text = decode(encoding, { bytes, whole });
    return text === undefined || NEVER.test(text) ? [] : [{ text, encoding, share: shareOfUsual(text) }];
  });
  const [best] = candidates.toSorted((a, b) => b.share - a.share);
  return best && best.share >= MIN_SHARED ? { text: best.text, encoding: best.encoding } : undefined;
}

function shareOfUsual(text: string): number {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  if (isLatinInWrongOrder(sample)) return 0;
  if (sample.length >= MIN_OF_ONE_SCRIPT && ONE_SCRIPT.test(sample)) return 1;
  return ((sample.match(SHARED)?.length ?? 0) + (sample.match(LATIN)?.length ?? 0)) / sample.length;
}

/** With swapped bytes, ASCII and Latin-1 are multiples of 256; some letters and digits are all Han. */
function isLatinInWrongOrder(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) % 256 !== 0) return false;
  return true;
}
