export type PreviewKind = 'image' | 'pdf' | 'text' | 'audio' | 'video';

type PreviewedFile = { mimetype: string; extension: string };

/** Images that every browser displays. Not SVG, which can run scripts. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
/** Displayed as a converted image. */
const REDRAWN = ['image/apng', 'image/tiff'];
const TEXTS = ['application/json', 'application/xml', 'application/xhtml+xml', 'image/svg+xml'];
const MEDIA = /^(audio|video)\/[\w.+-]+$/;

/** Types that a browser would execute. Content alone is detected as plain text, hence the names. */
const MARKUP = /^(text\/html|application\/(xhtml\+)?xml|image\/svg\+xml)$/;
const MARKUP_NAMES = ['htm', 'html', 'mht', 'mhtml', 'shtml', 'svg', 'svgz', 'xht', 'xhtml', 'xml', 'xsl', 'xslt'];

export const mimeEssence = (mimetype: string): string => mimetype.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const charsetOf = (mimetype: string): string =>
  /;\s*charset="?([\w.:-]{1,40})"?/i.exec(mimetype)?.[1]?.toLowerCase() ?? 'utf-8';

/** How a file of this type is displayed; undefined if it can only be downloaded. */
export function previewKind(mimetype: string): PreviewKind | undefined {
  const type = mimeEssence(mimetype);
  if (PICTURES.includes(type) || REDRAWN.includes(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('text/') || TEXTS.includes(type)) return 'text';
  const [, kind] = MEDIA.exec(type) ?? [];
  return kind === 'audio' || kind === 'video' ? kind : undefined;
}

export function previewContentType(mimetype: string): string | undefined {
  const kind = previewKind(mimetype);
  if (kind === undefined) return undefined;
  if (REDRAWN.includes(mimeEssence(mimetype))) return 'image/webp';
  return kind === 'text' ? `text/plain; charset=${charsetOf(mimetype)}` : mimeEssence(mimetype);
}

/** Not HTML, SVG, and similar types, even as text. */
export function canServeInline({ mimetype, extension }: PreviewedFile): boolean {
  return (
    previewKind(mimetype) !== undefined && !MARKUP.test(mimeEssence(mimetype)) && !MARKUP_NAMES.includes(extension)
  );
}

export function isPreviewContentType(contentType: string): boolean {
  const shown = previewContentType(contentType);
  return shown !== undefined && mimeEssence(shown) === mimeEssence(contentType);
}
