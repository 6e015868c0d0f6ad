import { isolate } from '@atrium/proto-events/text/isolate';
import type { EmailHeader, EmailLayout, Link } from './email-layout.ts';

/** The plain text version. The signature after `-- ` contains only the sender, because some clients hide it. */
export function renderEmailText(layout: EmailLayout, { workspace, publicUrl }: EmailHeader): string {
  const details = (layout.details ?? [])
    .map(([label, value]) => `${label}: ${value.split('\n').map(isolate).join('\n  ')}`)
    .join('\n');
  const quotes = (layout.quotes ?? []).map(([label, text]) => `${label}:\n${text}`);
  const items = (layout.items ?? []).map(({ label, url }) => `${label}\n${url}`).join('\n\n');
  const message = layout.message?.replaceAll(/^/gm, '> ');
  const signature = `-- \n${workspace}\n${publicUrl}`;
  const parts = [
    layout.heading,
    ...layout.paragraphs,
    message,
    details,
    items,
    listLinks(layout.choices ?? []),
    listLinks(layout.action ? [layout.action] : []),
    ...quotes,
    layout.note,
    layout.footnote,
    listLinks(layout.footerLinks ?? []),
    signature,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

const listLinks = (links: readonly Link[]) => links.map(({ label, url }) => `${label}:\n${url}`).join('\n');
