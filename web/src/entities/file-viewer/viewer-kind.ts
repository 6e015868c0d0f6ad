import { mimeEssence, type PreviewKind, previewKind } from '@atrium/proto-events/preview-kind';

export type ViewerKind = PreviewKind | 'markdown' | 'table' | 'none';

const MARKDOWN = /\.(md|mdown|markdown)$/i;
const TABLE = /\.(csv|tsv)$/i;

/** Chosen by the detected type and, for text, by the file name. HTML and SVG are shown as text. */
export function viewerKind({ name, mimetype }: { name: string; mimetype: string }): ViewerKind {
  const kind = previewKind(mimetype);
  if (kind !== 'text') return kind ?? 'none';
  const type = mimeEssence(mimetype);
  if (type === 'text/markdown' || MARKDOWN.test(name)) return 'markdown';
  // Text detected as a table is shown as one, unless its name says otherwise.
  if (TABLE.test(name) || (/^text\/(csv|tab-separated-values)$/.test(type) && !/\.[a-z]\w{0,9}$/i.test(name)))
    return 'table';
  return 'text';
}
