import { isolate } from '@atrium/proto-events/text/isolate';
import type { EmailLayout, LetterHead } from './email-layout.ts';

/** The plain form, readable in any client. Below the dashes stands only who sends: some clients hide what comes there. */
export function letterText(letter: EmailLayout, { workspace, publicUrl }: LetterHead): string {
  const facts = (letter.facts ?? [])
    .map(([label, value]) => `${label}: ${value.split('\n').map(isolate).join('\n  ')}`)
    .join('\n');
  const quotes = (letter.quotes ?? []).map(([label, text]) => `${label}:\n${text}`);
  const choices = (letter.choices ?? []).map(({ label, url }) => `${label}:\n${url}`).join('\n');
  const action = letter.action ? `${letter.action.label}:\n${letter.action.url}` : '';
  const foot = `-- \n${workspace}\n${publicUrl}`;
  return `${[letter.heading, ...letter.paragraphs, facts, choices, action, ...quotes, letter.footnote, foot].filter(Boolean).join('\n\n')}\n`;
}
