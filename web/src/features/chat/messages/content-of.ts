import { hasVisibleText, normalizeText } from '@atrium/proto-events/text/normalize';

/** What is sent of a text, as the server stores it: nothing where nothing of it shows. */
export const contentOf = (text: string): string => (hasVisibleText(text) ? normalizeText(text) : '');
