import { isolate } from '@atrium/proto-events/text/isolate';
import type { EmailHeader, EmailLayout } from './email-layout.ts';

/** The plain text version. The signature after `-- ` contains only the sender, because some clients hide it. */
export function renderEmailText(layout: EmailLayout, { workspace, publicUrl }: EmailHeader): string {
  const facts = (layout.facts ?? [])
    .map(([label, value]) => `${label}: ${value.split('\n').map(isolate).join('\n  ')}`)
    .join('\n');
  const quotes = (layout.quotes ?? []).map(([label, text]) => `${label}:\n${text}`);
  const choices = (layout.choices ?? []).map(({ label, url }) => `${label}:\n${url}`).join('\n');
  const action = layout.action ? `${layout.action.label}:\n${layout.action.url}` : '';
  const foot = `-- \n${workspace}\n${publicUrl}`;
  return `${[layout.heading, ...layout.paragraphs, facts, choices, action, ...quotes, layout.footnote, foot].filter(Boolean).join('\n\n')}\n`;
}
