export type Shortcode = { emoji: string; code: string };

/** Written by `build/emoji-data.ts`: each emoji with its codes. */
const URL_OF_SHORTCODES = '/emoji/en/shortcodes.json';

let loading: Promise<readonly Shortcode[]> | null = null;

export function loadShortcodes(): Promise<readonly Shortcode[]> {
  loading ??= fetchShortcodes().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchShortcodes(): Promise<readonly Shortcode[]> {
  const response = await fetch(URL_OF_SHORTCODES);
  if (!response.ok) throw new Error(`Emoji names not loaded: ${response.status}`);
  const rows: [string, ...string[]][] = await response.json();
  return rows.flatMap(([emoji, ...codes]) => codes.map((code) => ({ emoji, code })));
}

/** Finds emoji by a part of a name; names that start with it come first, and short ones before long ones. */
export function searchShortcodes(shortcodes: readonly Shortcode[], query: string, limit: number): Shortcode[] {
  const rank = ({ code }: Shortcode) => (code.startsWith(query) ? 0 : 100) + code.length;
  const found = shortcodes.filter(({ code }) => code.includes(query)).sort((a, b) => rank(a) - rank(b));
  const byEmoji = new Map(found.toReversed().map((shortcode) => [shortcode.emoji, shortcode]));
  return [...byEmoji.values()].sort((a, b) => rank(a) - rank(b)).slice(0, limit);
}
