import { findWebAddresses } from '@atrium/proto-events/links';
import type { Link, PhrasingContent } from 'mdast';
import type { ReactNode } from 'react';
import { type ContentPart, restoreParts, restoreText } from '../text/content-parts.ts';

type Props = { link: Link; parts: readonly ContentPart[]; children: ReactNode };

const SAFE_SCHEME = /^(?:https?|mailto):/i;

/**
 * A link with another text than its address. Where the address is none that is safe to open, or the text is the address of
 * another site, both stay as typed.
 */
export function MarkdownLink({ link, parts, children }: Props) {
  const { url } = link;
  const href = addressOf(url, parts);
  if (href === undefined || namesOtherSite(restoreText(textOf(link.children), parts), href))
    return (
      <>
        [{children}]({restoreText(url, parts)})
      </>
    );
  const isEmail = /^mailto:/i.test(href);
  return (
    <a href={href} title={href} dir="auto" {...(!isEmail && { target: '_blank', rel: 'noopener noreferrer nofollow' })}>
      {children}
    </a>
  );
}

function addressOf(url: string, parts: readonly ContentPart[]): string | undefined {
  const [first, ...rest] = restoreParts(url, parts);
  if (first?.href !== undefined && rest.length === 0) return first.href;
  const address = restoreText(url, parts);
  return SAFE_SCHEME.test(address) && URL.canParse(address) ? address : undefined;
}

const textOf = (nodes: readonly PhrasingContent[]): string =>
  nodes.map((node) => ('children' in node ? textOf(node.children) : 'value' in node ? node.value : '')).join('');

const namesOtherSite = (text: string, href: string): boolean =>
  findWebAddresses(text).some((address) => new URL(address).host !== new URL(href).host);
