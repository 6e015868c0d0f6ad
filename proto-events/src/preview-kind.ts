export type PreviewKind = 'image' | 'pdf' | 'text' | 'audio' | 'video';

type PreviewedFile = { mimetype: string; extension: string };

/** Images that every browser displays, except SVG, which can run scripts. */
const DISPLAYABLE_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
/** Images that are displayed after conversion. */
const CONVERTED_IMAGES = ['image/apng', 'image/tiff'];
const TEXT_TYPES = ['application/json', 'application/xml', 'application/xhtml+xml', 'image/svg+xml'];
const MEDIA = /^(audio|video)\/[\w.+-]+$/;

/**
 * Types that a browser would execute. Detection by content can return plain text for them, so extensions are checked as
 * well.
 */
const MARKUP = /^(text\/html|application\/(xhtml\+)?xml|image\/svg\+xml)$/;
const MARKUP_EXTENSIONS = ['htm', 'html', 'mht', 'mhtml', 'shtml', 'svg', 'svgz', 'xht', 'xhtml', 'xml', 'xsl', 'xslt'];

export const mimeEssence = (mimetype: string): string => mimetype.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const getCharset = (mimetype: string): string =>
  /;\s*charset="?([\w.:-]{1,40})"?/i.exec(mimetype)?.[1]?.toLowerCase() ?? 'utf-8';

/** Returns how a file of this type is displayed; undefined if it can only be downloaded. */
export function previewKind(mimetype: string): PreviewKind | undefined {
  const type = mimeEssence(mimetype);
  if (DISPLAYABLE_IMAGES.includes(type) || CONVERTED_IMAGES.includes(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('text/') || TEXT_TYPES.includes(type)) return 'text';
  const [, kind] = MEDIA.exec(type) ?? [];
  return kind === 'audio' || kind === 'video' ? kind : undefined;
}

export function previewContentType(mimetype: string): string | undefined {
  const kind = previewKind(mimetype);
  if (kind === undefined) return undefined;
  if (CONVERTED_IMAGES.includes(mimeEssence(mimetype))) return 'image/webp';
  return kind === 'text' ? `text/plain; charset=${getCharset(mimetype)}` : mimeEssence(mimetype);
}

/** Whether a file can be served inline. HTML, SVG, and similar types cannot, even as plain text. */
export function canServeInline({ mimetype, extension }: PreviewedFile): boolean {
  return (
    previewKind(mimetype) !== undefined && !MARKUP.test(mimeEssence(mimetype)) && !MARKUP_EXTENSIONS.includes(extension)
  );
}

export function isPreviewContentType(contentType: string): boolean {
  const previewType = previewContentType(contentType);
  return previewType !== undefined && mimeEssence(previewType) === mimeEssence(contentType);
}
