import { hasVisibleText, normalizeText } from '@atrium/proto-events/text/normalize';

/** The text as stored by the server; empty without visible characters. */
export const contentOf = (text: string): string => (hasVisibleText(text) ? normalizeText(text) : '');
