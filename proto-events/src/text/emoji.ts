// Browsers import this module, so it has no schemas.

/** Maximum number of users that a reaction lists. */
export const MAX_REACTING_USERS = 10;

/** A whole emoji of Unicode, with all of its modifiers and variation selectors (UTS #51, RGI_Emoji). */
const EMOJI = /^\p{RGI_Emoji}$/v;
const VARIATION_SELECTOR = '\ufe0f';
const TEXT_PRESENTATION = '\ufe0e';

/**
 * Returns the emoji in its fully qualified form, so that the same emoji is always the same string, or undefined for any
 * other text. Keyboards omit the variation selector of emoji such as ❤, and some sources add one to others.
 */
export function parseEmoji(text: string): string | undefined {
  const emoji = text.replace(TEXT_PRESENTATION, '');
  const candidates = [emoji, emoji + VARIATION_SELECTOR, emoji.replace(VARIATION_SELECTOR, '')];
  return candidates.find((candidate) => EMOJI.test(candidate));
}

/** The name of a custom emoji; in text and as a reaction, it is between colons. */
export const CUSTOM_EMOJI_NAME = /^[a-z0-9_-]{2,32}$/;

const CUSTOM_EMOJI = /^:([a-z0-9_-]{2,32}):$/;

/** Returns the name of a custom emoji such as `:party_parrot:`, or undefined for any other text. */
export const parseCustomEmoji = (text: string): string | undefined => CUSTOM_EMOJI.exec(text)?.[1];
