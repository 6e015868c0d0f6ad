import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
import { EmojiText } from '#entities/emoji/emoji-text.tsx';
import { type ContentPart, splitContent } from '../text/content-parts.ts';
import { Mention } from './mention.tsx';

const NONE: MentionLabels = {};

/** The content of a message with links, and with names instead of the tokens of mentions. */
export function FormattedText({ text, labels = NONE }: { text: string; labels?: MentionLabels | undefined }) {
  return <FormattedParts parts={splitContent(text)} labels={labels} />;
}

const IN_A_NEW_TAB = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const;

type Props = { parts: readonly ContentPart[]; labels: MentionLabels; isInLink?: boolean };

export function FormattedParts({ parts, labels, isInLink = false }: Props) {
  return parts.map(({ at, text, mention, href }) => {
    if (mention) return <Mention key={at} mention={mention} labels={labels} isInLink={isInLink} />;
    if (href === undefined || isInLink) return <EmojiText key={at} text={text} />;
    return (
      <a key={at} href={href} {...(href.startsWith('mailto:') ? {} : IN_A_NEW_TAB)} dir="auto">
        {text}
      </a>
    );
  });
}
