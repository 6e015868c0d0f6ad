const LINK = /https?:\/\/[^\s<>"']+/gi;
/** What ends a sentence around a link rather than the link. */
const TAIL = /[.,;:!?)\]}]+$/;

/** A web address in a text, as it stands there, and where it begins. */
export type Link = { at: number; href: string };

/** The web addresses of a text, in their order. */
export function findLinks(text: string): Link[] {
  const found = Array.from(text.matchAll(LINK), ({ 0: words, index }) => ({
    at: index,
    href: words.replace(TAIL, ''),
  }));
  return found.filter(({ href }) => URL.canParse(href));
}
