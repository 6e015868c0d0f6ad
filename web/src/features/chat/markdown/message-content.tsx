import { type ReactNode, useMemo } from 'react';
import { css, styled } from 'styled-components';
import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
import { FormattedText } from '../mentions/formatted-text.tsx';
import { hasMarkup, protectContent } from '../text/content-parts.ts';
import { useMarkdown } from './parsed-messages.ts';

type Props = {
  content: string;
  labels?: MentionLabels | undefined;
  isPending?: boolean;
  /** Shown after the text. */
  children?: ReactNode;
};

const NONE: MentionLabels = {};

/** The text of a message: Markdown, with links, and with names instead of the tokens of mentions. */
export function MessageContent({ content, labels = NONE, isPending = false, children }: Props) {
  const { text, parts } = useMemo(() => protectContent(content), [content]);
  const markdown = useMarkdown(useMemo(() => (hasMarkup(text) ? text : null), [text]));
  if (markdown) {
    const { MarkdownContent, root } = markdown;
    return (
      <Blocks $isPending={isPending} aria-busy={isPending || undefined}>
        <MarkdownContent root={root} parts={parts} labels={labels} end={children} />
      </Blocks>
    );
  }
  return (
    <Text $isPending={isPending} aria-busy={isPending || undefined} dir="auto">
      <FormattedText text={content} labels={labels} />
      {children}
    </Text>
  );
}

const textStyles = css`
  line-height: 22px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  /* Links to other sites, which would differ from the text only by color. */
  a:not([href^='/']) {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
`;

const Text = styled.p<{ $isPending: boolean }>`
  ${textStyles}
  opacity: ${({ $isPending }) => ($isPending ? 0.6 : 1)};
`;

const Blocks = styled.div<{ $isPending: boolean }>`
  ${textStyles}
  opacity: ${({ $isPending }) => ($isPending ? 0.6 : 1)};
`;
