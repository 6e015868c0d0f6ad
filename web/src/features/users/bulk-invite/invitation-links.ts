import Papa from 'papaparse';
import type { SentInvitation } from './use-send-invitations.ts';

type Linked = Pick<SentInvitation, 'email' | 'firstName' | 'lastName' | 'inviteUrl'>;

const REVOKE_AFTER_MS = 10_000;

/** One line per person, to paste into a message or a spreadsheet. */
export const linksAsText = (invitations: readonly Linked[]): string =>
  invitations.map(({ email, inviteUrl }) => `${email}\t${inviteUrl}`).join('\n');

/** With a byte order mark, by which Excel recognizes UTF-8; cells that a spreadsheet would run as formulas are escaped. */
export function linksAsCsv(invitations: readonly Linked[]): string {
  const rows = invitations.map(({ email, firstName, lastName, inviteUrl }) => [email, firstName, lastName, inviteUrl]);
  const table = { fields: ['Email', 'First name', 'Last name', 'Invitation link'], data: rows };
  return `\uFEFF${Papa.unparse(table, { escapeFormulae: true })}`;
}

export function downloadLinks(invitations: readonly Linked[]): void {
  const address = URL.createObjectURL(new Blob([linksAsCsv(invitations)], { type: 'text/csv' }));
  const link = window.document.createElement('a');
  link.href = address;
  link.download = 'invitations.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}
