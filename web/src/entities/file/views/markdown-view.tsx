import type { ComponentProps } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { styled } from 'styled-components';
import { Paper } from '../stage.ts';
import type { ViewProps } from '../viewed-file.ts';
import { markdownLook } from './markdown-look.ts';
import { TextPart } from './text-part.tsx';

const MOST = 256 * 1024;

const PLUGINS = [remarkGfm];

/** HTML within it stays the text that it is; pictures are somewhere else, and who looks at a file is nobody's business there. */
const PARTS: Components = {
  a: ({ href, children }) =>
    isElsewhere(href) ? <Elsewhere href={href}>{children}</Elsewhere> : <span>{children}</span>,
  img: ({ alt }) => <em>{alt || 'Picture'}</em>,
};

/** Markdown as what it means. */
export function MarkdownView(props: ViewProps) {
  return (
    <TextPart {...props} most={MOST}>
      {(text) => (
        <Writing as="article">
          <Markdown remarkPlugins={PLUGINS} components={PARTS}>
            {text}
          </Markdown>
        </Writing>
      )}
    </TextPart>
  );
}

/** Places within the file, or beside it, are not here. */
const isElsewhere = (href: string | undefined) => /^(https?|mailto):/i.test(href ?? '');

function Elsewhere(props: ComponentProps<'a'>) {
  return <a {...props} target="_blank" rel="noopener noreferrer nofollow" />;
}

const Writing = styled(Paper)`
  ${markdownLook}
`;
