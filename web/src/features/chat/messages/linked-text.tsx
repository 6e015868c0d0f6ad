import { Fragment } from 'react';

const LINK = /https?:\/\/[^\s<>"']+/gi;
/** What ends a sentence around a link rather than the link. */
const TAIL = /[.,;:!?)\]}]+$/;

type Part = { at: number; text: string; href?: string };

/** Text with its web addresses as links; nothing else in it has a meaning. */
export function LinkedText({ text }: { text: string }) {
  return toParts(text).map(({ at, text: words, href }) =>
    href ? (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {words}
      </a>
    ) : (
      <Fragment key={at}>{words}</Fragment>
    ),
  );
}

export function toParts(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(LINK)) {
    const href = found[0].replace(TAIL, '');
    if (!URL.canParse(href)) continue;
    if (found.index > end) parts.push({ at: end, text: text.slice(end, found.index) });
    parts.push({ at: found.index, text: href, href });
    end = found.index + href.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) });
  return parts;
}
