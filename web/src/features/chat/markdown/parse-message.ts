import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Maximum nesting; the renderer is recursive. */
const MAX_DEPTH = 40;
/** Maximum number of elements and texts, which the page renders at once. */
const MAX_NODES = 3_000;

/**
 * What a message does not have: HTML, images, definitions and the autolinks between angle brackets, as addresses are
 * links anyway, and what comes as a surprise in a chat: code by indentation, and headings by a line of dashes below.
 */
const DISABLED = [
  'htmlFlow',
  'htmlText',
  'labelStartImage',
  'definition',
  'autolink',
  'codeIndented',
  'setextUnderline',
];

const options = {
  extensions: [gfmTable(), gfmStrikethrough({ singleTilde: false }), { disable: { null: DISABLED } }],
  mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
};

/** Parses a message with the parser of remark. Returns null if the tree is too deep or too large to be displayed. */
export function parseMessage(text: string): Root | null {
  const root = fromMarkdown(text, options);
  return countNodes(root, 0) > MAX_NODES ? null : root;
}

/** Counts the nodes, and removes their positions, which would be most of what a worker sends. */
function countNodes(node: Nodes, depth: number): number {
  delete node.position;
  if (!('children' in node)) return 1;
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  let count = 1;
  for (const child of node.children) count += countNodes(child, depth + 1);
  return count;
}
