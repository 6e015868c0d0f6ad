import type { Nodes, Root } from 'hast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Maximum nesting; the renderer is recursive. */
const MAX_DEPTH = 100;

/** Maximum number of elements and text nodes, which the page renders at once; a 256 KB book has a few thousand. */
const MAX_NODES = 20_000;

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true });

/** Embedded HTML stays text. Throws if the tree is too deep or too large. */
export function parseMarkdown(text: string): Root {
  const root = reader.runSync(reader.parse(text)) as Root;
  if (convertHtmlToText(root, 0) > MAX_NODES) throw new RangeError(`Markdown of more than ${MAX_NODES} elements`);
  return root;
}

function convertHtmlToText(node: Nodes, level: number): number {
  if (level > MAX_DEPTH) throw new RangeError(`Markdown of more than ${MAX_DEPTH} levels`);
  if (!('children' in node)) return 1;
  node.children = node.children.map((child) =>
    child.type === 'raw' ? { type: 'text', value: child.value } : child,
  ) as typeof node.children;
  return node.children.reduce((sum, child) => sum + convertHtmlToText(child, level + 1), 1);
}
