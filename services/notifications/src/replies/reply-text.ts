const QUOTED = /^\s*>/;
/** Mail programs isolate addresses and lines in right-to-left text. */
const BIDI_CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** A line such as `From: Northwind <no-reply@example.org>`, in any language. */
const HEADER_LINE = /^[*\s]*\p{L}[\p{L}\p{M}. ]{0,24}\s?[:：][*\s]/u;
const LINE_OF_MARKS = /^[-_=*]{10,}$/;
const INTRODUCTION_END = /[:：]$/;
const TIME_OR_YEAR = /\d{1,2}[:.h]\d{2}|\d{4}/;
/** RFC 3676, section 4.3; some programs remove the space. */
const SIGNATURE = /^-- ?$/;
const MAX_INTRODUCTION_LINES = 3;
/** Programs wrap no shorter lines, and no sentences. */
const MIN_WRAPPED_CHARS = 30;
const SENTENCE_END = /[.!?:。！？：]$/;
const MAX_BLANK_LINES = 2;

/** What phones add, in their most frequent languages. It has a line of its own at the end. */
const MOBILE_SIGNATURE =
  /^(?:Sent from (?:my|Mail|Outlook|Yahoo|Proton|Samsung) ?.*|Get Outlook for .+|Gesendet (?:von|mit) .+|Von meinem .+ gesendet|Envoyé (?:de|depuis|à partir de) .+|Enviado (?:desde|do|de) .+|Inviato da .+|Verzonden (?:vanaf|met) .+|Verstuurd vanaf .+|Skickat från .+|Sendt fra .+|Wysłane z .+|Отправлено (?:с|из) .+|(?:Được |Đã )?[Gg]ửi từ .+|נשלח מ.+|.+から送信|发自我的.+)$/u;

type Line = { text: string; bare: string; isQuoted: boolean };

/**
 * Returns what the user wrote in a reply: without quotes, what introduces them, and the signature. The introduction
 * of a quote contains the sender of the quoted email in most programs, in every language. Lines between the parts of a
 * quote stay.
 */
export function extractReplyText(text: string, senderAddress: string): string {
  const sender = senderAddress.toLowerCase();
  const namesSender = (bare: string) => bare.toLowerCase().includes(sender);
  const lines = text.split(/\r\n|\r|\n/).map(toLine);
  const unquoted = removeMarkedQuotes(removeUnmarkedQuote(lines, namesSender), namesSender);
  const signatureAt = unquoted.findIndex(({ text }) => SIGNATURE.test(text));
  const written = signatureAt === -1 ? unquoted : unquoted.slice(0, signatureAt);
  return removeMobileSignature(written)
    .map(({ text }) => text.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function toLine(text: string): Line {
  const bare = text.replaceAll(BIDI_CONTROLS, '').trim();
  return { text, bare, isQuoted: QUOTED.test(bare) };
}

type NamesSender = (bare: string) => boolean;

/** Removes a quote whose lines have no marks, which is everything that follows its introduction. */
function removeUnmarkedQuote(lines: readonly Line[], namesSender: NamesSender): readonly Line[] {
  for (const [index, { bare, isQuoted }] of lines.entries()) {
    if (isQuoted || bare === '') continue;
    const next = findNext(lines, index + 1);
    if (isSeparator(bare) && next && !next.isQuoted && HEADER_LINE.test(next.bare)) return lines.slice(0, index);
    if (!namesSender(bare)) continue;
    if (HEADER_LINE.test(bare) && next && HEADER_LINE.test(next.bare)) return lines.slice(0, skipHeaders(lines, index));
    const end = findParagraphEnd(lines, index);
    const isIntroduction = INTRODUCTION_END.test(lines[end]?.bare ?? '') || isSeparator(bare);
    if (isIntroduction && !findNext(lines, end + 1)?.isQuoted)
      return lines.slice(0, findIntroductionStart(lines, index));
  }
  return lines;
}

const findNext = (lines: readonly Line[], from: number): Line | undefined =>
  lines.slice(from, from + MAX_BLANK_LINES + 1).find(({ bare }) => bare !== '');

const isInParagraph = (line: Line | undefined): line is Line =>
  line !== undefined && line.bare !== '' && !line.isQuoted;

/** Goes back to where the introduction of a quote begins, which some programs wrap. */
function findIntroductionStart(lines: readonly Line[], index: number): number {
  let start = index;
  for (let previous = index - 1; index - previous < MAX_INTRODUCTION_LINES; previous -= 1) {
    const line = lines[previous];
    if (!isInParagraph(line) || line.bare.length < MIN_WRAPPED_CHARS || SENTENCE_END.test(line.bare)) return start;
    // It contains a date.
    if (/\d/.test(line.bare)) start = previous;
  }
  return start;
}

function findParagraphEnd(lines: readonly Line[], index: number): number {
  let end = index;
  while (end - index < MAX_INTRODUCTION_LINES - 1 && isInParagraph(lines[end + 1])) end += 1;
  return end;
}

/** Such as `-----Original Message-----`, or the line of underscores of Outlook. */
const isSeparator = (bare: string) =>
  LINE_OF_MARKS.test(bare) || (bare.startsWith('--') && bare.endsWith('--') && /\p{L}/u.test(bare));

/** Goes back to the first of several headers, and to the line that separates them from what the user wrote. */
function skipHeaders(lines: readonly Line[], index: number): number {
  let start = index;
  while (index - start < MAX_INTRODUCTION_LINES && HEADER_LINE.test(lines[start - 1]?.bare ?? '')) start -= 1;
  while (start > 0 && lines[start - 1]?.bare === '') start -= 1;
  return isSeparator(lines[start - 1]?.bare ?? '') ? start - 1 : start;
}

/** Removes lines with marks, and the introduction before the first of them. */
function removeMarkedQuotes(lines: readonly Line[], namesSender: NamesSender): readonly Line[] {
  const quoteAt = lines.findIndex(({ isQuoted }) => isQuoted);
  if (quoteAt === -1) return lines;
  let last = quoteAt - 1;
  while (last >= 0 && quoteAt - last <= MAX_BLANK_LINES && lines[last]?.bare === '') last -= 1;
  const introduction = isInParagraph(lines[last]) ? { start: findIntroductionStart(lines, last), last } : undefined;
  const introductionText = introduction ? joinLines(lines.slice(introduction.start, last + 1)) : '';
  const isIntroduction =
    INTRODUCTION_END.test(introductionText) && (namesSender(introductionText) || TIME_OR_YEAR.test(introductionText));
  return lines.filter(
    ({ isQuoted }, index) =>
      !isQuoted && !(isIntroduction && introduction && index >= introduction.start && index <= introduction.last),
  );
}

const joinLines = (lines: readonly Line[]) => lines.map(({ bare }) => bare).join(' ');

function removeMobileSignature(lines: readonly Line[]): readonly Line[] {
  const lastAt = lines.findLastIndex(({ bare }) => bare !== '');
  const isSignature = MOBILE_SIGNATURE.test(lines[lastAt]?.bare ?? '') && (lines[lastAt - 1]?.bare ?? '') === '';
  return isSignature ? lines.slice(0, lastAt) : lines;
}
