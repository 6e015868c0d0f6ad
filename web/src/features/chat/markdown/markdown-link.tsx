import type { ReactNode } from 'react';
import { type ContentPart, restoreParts, restoreText } from './content-parts.ts';

type Props = { url: string; parts: readonly ContentPart[]; children: ReactNode };

const SAFE_SCHEME = /^(?:https?|mailto):/i;

/** A link with another text than its address. Where the address is none that is safe to open, both stay as typed. */
export function MarkdownLink({ url, parts, children }: Props) {
  const href = addressOf(url, parts);
  if (href === undefined)
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
