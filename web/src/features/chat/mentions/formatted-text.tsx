import { findLinks } from '@atrium/proto-events/links';
import { Fragment } from 'react';
import { type MentionLabels, splitMentions } from '#entities/conversation/mention-labels.ts';
import { Mention } from './mention.tsx';

type Part = { at: number; text: string; href?: string };

const NONE: MentionLabels = {};

/** The content of a message with links, and with names instead of the tokens of mentions. */
export function FormattedText({ text, labels = NONE }: { text: string; labels?: MentionLabels | undefined }) {
  return splitMentions(text).map(({ at, text: part, mention }) =>
    mention ? <Mention key={at} mention={mention} labels={labels} /> : <LinkedText key={at} text={part} />,
  );
}

const IN_A_NEW_TAB = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const;

function LinkedText({ text }: { text: string }) {
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
