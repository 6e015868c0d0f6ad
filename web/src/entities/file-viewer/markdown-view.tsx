import type { Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { css, styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { PlainText, TextPreview } from './text-view.tsx';
import type { ViewProps } from './viewed-file.ts';
import { Paper, ViewerLoading } from './viewer-canvas.tsx';

const markdownStyles = css`
  overflow-wrap: anywhere;
  line-height: 1.6;
  > * + * {
    margin-top: ${theme.space[3]};
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  h6 {
    margin-top: ${theme.space[6]};
    line-height: 1.3;
  }
  > :first-child {
    margin-top: 0;
  }
  ul,
  ol {
    padding-inline-start: ${theme.space[6]};
  }
  li.task-list-item {
    list-style: none;
  }
  blockquote {
    margin-inline: 0;
    padding-inline-start: ${theme.space[4]};
    border-inline-start: 3px solid ${theme.color.line};
    color: ${theme.color.text2};
  }
  code {
    padding: 1px 4px;
    border-radius: ${theme.radius.sm};
    background: ${theme.color.sunken};
    font: ${theme.text.mono};
  }
  pre {
    overflow-x: auto;
    padding: ${theme.space[3]} ${theme.space[4]};
    border-radius: ${theme.radius.md};
    background: ${theme.color.sunken};
    overflow-wrap: normal;
  }
  pre code {
    padding: 0;
    background: none;
  }
  table {
    display: block;
    max-width: 100%;
    overflow-x: auto;
    border-collapse: collapse;
  }
  th,
  td {
    padding: ${theme.space[1]} ${theme.space[3]};
    border: 1px solid ${theme.color.line};
    text-align: start;
  }
  hr {
    border: 0;
    border-top: 1px solid ${theme.color.line};
  }
`;

/** A manual takes less than a second; a malicious file of a few kilobytes can take minutes. */
const DEADLINE_MS = 5_000;

/**
 * Parses Markdown in a worker, so that no file can block the page. Undefined while parsing, `null` if it
 * fails or times out.
 */
function useMarkdown(text: string): Root | null | undefined {
  const [parsed, setParsed] = useState<{ text: string; root: Root | null }>();
  useEffect(() => {
    const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' });
    const finish = (root: Root | null) => {
      clearTimeout(deadline);
      worker.terminate();
      setParsed({ text, root });
    };
    const deadline = setTimeout(finish, DEADLINE_MS, null);
    worker.addEventListener('message', ({ data }: MessageEvent<Root>) => finish(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      finish(null);
    });
    worker.postMessage(text);
    return () => {
      clearTimeout(deadline);
      worker.terminate();
    };
  }, [text]);
  return parsed?.text === text ? parsed.root : undefined;
}

const MAX_BYTES = 256 * 1024;

/** Remote images are not loaded: that would disclose the viewer to other servers. */
const COMPONENTS: Partial<Components> = {
  a: ({ href, children }) =>
    isExternal(href) ? <ExternalLink href={href}>{children}</ExternalLink> : <span>{children}</span>,
  img: ({ alt }) => <em>{alt || 'Picture'}</em>,
};

export function MarkdownView(props: ViewProps) {
  return (
    <TextPreview {...props} maxBytes={MAX_BYTES}>
      {(text) => <ParsedMarkdown text={text} />}
    </TextPreview>
  );
}

function ParsedMarkdown({ text }: { text: string }) {
  const root = useMarkdown(text);
  if (root === undefined) return <ViewerLoading />;
  return root ? <MarkdownTree root={root} /> : <PlainText dir="auto">{text}</PlainText>;
}

function MarkdownTree({ root }: { root: Root }) {
  const parts = useMemo(() => toJsxRuntime(root, { Fragment, jsx, jsxs, components: COMPONENTS }), [root]);
  return <Article>{parts}</Article>;
}

/** Relative links and fragments have no target here. */
const isExternal = (href: string | undefined) => /^(https?|mailto):/i.test(href ?? '');

function ExternalLink(props: ComponentProps<'a'>) {
  return <a {...props} target="_blank" rel="noopener noreferrer nofollow" />;
}

const Article = styled(Paper).attrs({ as: 'article' })`
  ${markdownStyles}
`;
