import type { Nodes, Root } from 'hast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Elements within each other. More than that no writing has, and what draws them calls itself for each. */
const MOST_LEVELS = 100;

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true });

/** What Markdown means, as a tree of elements; HTML within it stays the text that it is. Throws where it goes too deep. */
export function parseMarkdown(text: string): Root {
  const root = reader.runSync(reader.parse(text)) as Root;
  takeAsText(root, 0);
  return root;
}

function takeAsText(node: Nodes, level: number): void {
  if (level > MOST_LEVELS) throw new RangeError(`Markdown of more than ${MOST_LEVELS} levels`);
  if (!('children' in node)) return;
  node.children = node.children.map((child) =>
    child.type === 'raw' ? { type: 'text', value: child.value } : child,
  ) as typeof node.children;
  for (const child of node.children) takeAsText(child, level + 1);
}
