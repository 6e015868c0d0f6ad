import type { Nodes, PhrasingContent, Root, RootContent, Table } from 'mdast';
import { createElement, Fragment, type ReactNode } from 'react';
import { styled } from 'styled-components';
import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
import { FormattedParts } from '../mentions/formatted-text.tsx';
import { type ContentPart, restoreParts, restoreText } from '../text/content-parts.ts';
import { CodeBlock } from './code-block.tsx';
import { MarkdownLink } from './markdown-link.tsx';
import { blockStyles } from './markdown-styles.ts';

type Context = {
  parts: readonly ContentPart[];
  labels: MentionLabels;
  /** Links do not contain links. */
  isInLink?: boolean;
};

type Props = Context & {
  root: Root;
  /** Follows the last paragraph. */
  end?: ReactNode;
};

export function MarkdownContent({ root, end, ...context }: Props) {
  const last = root.children.at(-1);
  if (last?.type !== 'paragraph')
    return (
      <Article>
        {renderAll(root.children, context)}
        {end && <p>{end}</p>}
      </Article>
    );
  return (
    <Article>
      {renderAll(root.children.slice(0, -1), context)}
      <p key="last" dir="auto">
        {renderAll(last.children, context)}
        {end}
      </p>
    </Article>
  );
}

/** A tree never changes, so its nodes need no keys. */
function renderAll(nodes: readonly Nodes[], context: Context): ReactNode {
  return createElement(Fragment, null, ...nodes.map((node) => renderNode(node, context)));
}

function renderNode(node: Nodes, context: Context): ReactNode {
  switch (node.type) {
    case 'text':
      return <FormattedParts {...context} parts={restoreParts(node.value, context.parts)} />;
    case 'inlineCode':
      return <code dir="auto">{restoreText(node.value, context.parts)}</code>;
    case 'emphasis':
      return <em>{renderAll(node.children, context)}</em>;
    case 'strong':
      return <strong>{renderAll(node.children, context)}</strong>;
    case 'delete':
      return <del>{renderAll(node.children, context)}</del>;
    case 'break':
      return <br />;
    case 'link':
      return (
        <MarkdownLink link={node} parts={context.parts}>
          {renderAll(node.children, { ...context, isInLink: true })}
        </MarkdownLink>
      );
    default:
      return renderBlock(node as Exclude<RootContent, PhrasingContent>, context);
  }
}

function renderBlock(node: Exclude<RootContent, PhrasingContent>, context: Context): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p dir="auto">{renderAll(node.children, context)}</p>;
    case 'heading':
      return (
        // Headings of messages are below that of the conversation.
        <Heading role="heading" aria-level={Math.min(node.depth + 2, 6)} $isLarge={node.depth < 3} dir="auto">
          {renderAll(node.children, context)}
        </Heading>
      );
    case 'blockquote':
      return <blockquote dir="auto">{renderAll(node.children, context)}</blockquote>;
    case 'list': {
      const items = renderAll(node.children, context);
      // The side of the markers depends on the text, too.
      const props = { dir: 'auto', ...(node.ordered && { start: node.start ?? 1 }) };
      return createElement(node.ordered ? 'ol' : 'ul', props, items);
    }
    case 'listItem':
      return <li>{renderAll(node.children, context)}</li>;
    case 'code':
      return (
        <CodeBlock
          code={restoreText(node.value, context.parts)}
          language={restoreText(node.lang ?? '', context.parts)}
        />
      );
    case 'thematicBreak':
      return <hr />;
    case 'table':
      return <MarkdownTable table={node} context={context} />;
    default:
      return null;
  }
}

function MarkdownTable({ table, context }: { table: Table; context: Context }) {
  const [head, ...body] = table.children.map(({ children }, rowIndex) => {
    const cells = children.map((cell, index) => {
      const props = { dir: 'auto', style: { textAlign: table.align?.[index] ?? ('start' as const) } };
      const content = renderAll(cell.children, context);
      return rowIndex === 0
        ? createElement('th', { ...props, scope: 'col' }, content)
        : createElement('td', props, content);
    });
    return createElement('tr', null, ...cells);
  });
  return (
    <TableFrame>
      <table>
        <thead>{head}</thead>
        {createElement('tbody', null, ...body)}
      </table>
    </TableFrame>
  );
}

const Article = styled.div`
  ${blockStyles}
`;

const Heading = styled.p<{ $isLarge: boolean }>`
  font-size: ${({ $isLarge }) => ($isLarge ? '16px' : 'inherit')};
  font-weight: 600;
`;

const TableFrame = styled.div`
  max-width: 100%;
  overflow-x: auto;
`;
