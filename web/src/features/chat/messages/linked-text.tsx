import { findLinks } from '@atrium/proto-events/links';
import { Fragment } from 'react';

type Part = { at: number; text: string; href?: string };

const IN_A_NEW_TAB = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const;

/** Plain text with web and email addresses as links. */
export function LinkedText({ text }: { text: string }) {
  return toParts(text).map(({ at, text, href }) =>
    href ? (
      <a key={at} href={href} {...(href.startsWith('mailto:') ? {} : IN_A_NEW_TAB)} dir="auto">
        {text}
      </a>
    ) : (
      <Fragment key={at}>{text}</Fragment>
    ),
  );
}

function toParts(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { at, text: linkText, href } of findLinks(text)) {
    if (at > end) parts.push({ at: end, text: text.slice(end, at) });
    parts.push({ at, text: linkText, href });
    end = at + linkText.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) });
  return parts;
}
