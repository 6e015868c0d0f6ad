import { mimeEssence, type PreviewKind, previewKind } from '@atrium/proto-events/preview-kind';

export type ViewerKind = PreviewKind | 'markdown' | 'table' | 'none';

const MARKDOWN = /\.(md|mdown|markdown)$/i;
const TABLE = /\.(csv|tsv)$/i;

/** How a file is shown: by what its bytes are, and which text it is by its name, too. Pages and SVG are text. */
export function viewerKind({ name, mimetype }: { name: string; mimetype: string }): ViewerKind {
  const kind = previewKind(mimetype);
  if (kind !== 'text') return kind ?? 'none';
  const type = mimeEssence(mimetype);
  if (type === 'text/markdown' || MARKDOWN.test(name)) return 'markdown';
  // By its bytes a list with as many commas in each line is a table, too, unless its name says what it is.
  if (TABLE.test(name) || (/^text\/(csv|tab-separated-values)$/.test(type) && !/\.[a-z]\w{0,9}$/i.test(name)))
    return 'table';
  return 'text';
}
