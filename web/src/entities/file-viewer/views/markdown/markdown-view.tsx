import type { Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { type ComponentProps, useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { styled } from 'styled-components';
import type { ViewProps } from '../../viewed-file.ts';
import { Paper } from '../../viewer-canvas.ts';
import { ViewerLoading } from '../../viewer-loading.tsx';
import { TextPreview } from '../text-preview.tsx';
import { PlainText } from '../text-view.tsx';
import { markdownStyles } from './markdown-styles.ts';
import { useMarkdown } from './use-markdown.ts';

const MAX_BYTES = 256 * 1024;

/** Remote images are not loaded: that would disclose the viewer to other servers. */
const COMPONENTS: Partial<Components> = {
  a: ({ href, children }) =>
    isElsewhere(href) ? <Elsewhere href={href}>{children}</Elsewhere> : <span>{children}</span>,
  img: ({ alt }) => <em>{alt || 'Picture'}</em>,
};

/** Renders Markdown, or shows its source if it cannot be parsed. */
export function MarkdownView(props: ViewProps) {
  return (
    <TextPreview {...props} maxBytes={MAX_BYTES}>
      {(text) => <Writing text={text} />}
    </TextPreview>
  );
}

function Writing({ text }: { text: string }) {
  const root = useMarkdown(text);
  if (root === undefined) return <ViewerLoading />;
  return root ? <Drawn root={root} /> : <PlainText dir="auto">{text}</PlainText>;
}

function Drawn({ root }: { root: Root }) {
  const parts = useMemo(() => toJsxRuntime(root, { Fragment, jsx, jsxs, components: COMPONENTS }), [root]);
  return <Article>{parts}</Article>;
}

/** Relative links and fragments have no target here. */
const isElsewhere = (href: string | undefined) => /^(https?|mailto):/i.test(href ?? '');

function Elsewhere(props: ComponentProps<'a'>) {
  return <a {...props} target="_blank" rel="noopener noreferrer nofollow" />;
}

const Article = styled(Paper).attrs({ as: 'article' })`
  ${markdownStyles}
`;
