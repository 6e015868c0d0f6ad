import type { Nodes, Root } from 'hast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Elements within each other. More than that no writing has, and what draws them calls itself for each. */
const MOST_LEVELS = 100;

/** Elements and pieces of text in all, which the page makes in one go: a book of 256 KB has some thousands. */
const MOST_NODES = 20_000;

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true });

/** What Markdown means, as a tree of elements; HTML within it stays the text that it is. Throws where that is too deep or too much. */
export function parseMarkdown(text: string): Root {
  const root = reader.runSync(reader.parse(text)) as Root;
  if (takeAsText(root, 0) > MOST_NODES) throw new RangeError(`Markdown of more than ${MOST_NODES} elements`);
  return root;
}

/** How many there are. */
function takeAsText(node: Nodes, level: number): number {
  if (level > MOST_LEVELS) throw new RangeError(`Markdown of more than ${MOST_LEVELS} levels`);
  if (!('children' in node)) return 1;
  node.children = node.children.map((child) =>
    child.type === 'raw' ? { type: 'text', value: child.value } : child,
  ) as typeof node.children;
  return node.children.reduce((sum, child) => sum + takeAsText(child, level + 1), 1);
}
