/** How a browser shows a file without running anything that is in it. */
export type PreviewKind = 'image' | 'pdf' | 'text' | 'audio' | 'video';

/** A file as far as showing it depends on it: `mimetype` found from its bytes, `extension` in lower case without the dot. */
export type PreviewedFile = { mimetype: string; extension: string };

/** Pictures that every browser shows. SVG is none of them: it is a page that draws. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
/** What is shown as a picture that is made of it. */
const REDRAWN = ['image/apng', 'image/tiff'];
const TEXTS = ['application/json', 'application/xml', 'application/xhtml+xml', 'image/svg+xml'];
const MEDIA = /^(audio|video)\/[\w.+-]+$/;

/** What a browser would run if it were told what it is. Bytes alone make it plain text; its name says more. */
const MARKUP = /^(text\/html|application\/(xhtml\+)?xml|image\/svg\+xml)$/;
const MARKUP_NAMES = ['htm', 'html', 'mht', 'mhtml', 'shtml', 'svg', 'svgz', 'xht', 'xhtml', 'xml', 'xsl', 'xslt'];

/** A media type without its parameters, as in `audio/ogg; codecs=opus`. */
export const mimeEssence = (mimetype: string): string => mimetype.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The encoding that a media type names, UTF-8 where it names none. */
export const charsetOf = (mimetype: string): string =>
  /;\s*charset="?([\w.:-]{1,40})"?/i.exec(mimetype)?.[1]?.toLowerCase() ?? 'utf-8';

/** How a file of that type is shown; undefined where it can only be downloaded. */
export function previewKind(mimetype: string): PreviewKind | undefined {
  const type = mimeEssence(mimetype);
  if (PICTURES.includes(type) || REDRAWN.includes(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('text/') || TEXTS.includes(type)) return 'text';
  const [, kind] = MEDIA.exec(type) ?? [];
  return kind === 'audio' || kind === 'video' ? kind : undefined;
}

/** The type that a link for showing a file answers: every text is plain text in its own encoding, whatever it is the text of. */
export function previewContentType(mimetype: string): string | undefined {
  const kind = previewKind(mimetype);
  if (kind === undefined) return undefined;
  if (REDRAWN.includes(mimeEssence(mimetype))) return 'image/webp';
  return kind === 'text' ? `text/plain; charset=${charsetOf(mimetype)}` : mimeEssence(mimetype);
}

/** Whether a browser that opens such a link by itself may show it, rather than save it: not HTML, SVG and their kin, even as text. */
export function canServeInline({ mimetype, extension }: PreviewedFile): boolean {
  return (
    previewKind(mimetype) !== undefined && !MARKUP.test(mimeEssence(mimetype)) && !MARKUP_NAMES.includes(extension)
  );
}

/** Whether an answer of that type may be shown and need not be saved: what `shownType` gives, and nothing else. */
export function isPreviewContentType(contentType: string): boolean {
  const shown = previewContentType(contentType);
  return shown !== undefined && mimeEssence(shown) === mimeEssence(contentType);
}
