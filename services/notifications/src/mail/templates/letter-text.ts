import type { Letter, LetterHead } from './letter.ts';

/** The plain form, readable in any client. */
export function letterText(letter: Letter, { workspace, publicUrl }: LetterHead): string {
  const facts = (letter.facts ?? []).map(([label, value]) => `${label}: ${value.replaceAll('\n', '\n  ')}`).join('\n');
  const quotes = (letter.quotes ?? []).map(([label, text]) => `${label}:\n${text}`);
  const action = letter.action ? `${letter.action.label}:\n${letter.action.url}` : '';
  const foot = `-- \n${workspace}\n${publicUrl}\n${letter.footnote}`;
  return `${[letter.heading, ...letter.paragraphs, facts, action, ...quotes, foot].filter(Boolean).join('\n\n')}\n`;
}
