import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEmoji } from '@atrium/proto-events/text/emoji';
import type { Plugin } from 'vite';

type Skin = { emoji: string; tone?: number | number[] };
type Emoji = Skin & {
  hexcode: string;
  label: string;
  tags?: string[];
  version: number;
  group?: number;
  subgroup?: number;
  skins?: Skin[];
};

const read = (name: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(`emojibase-data/en/${name}`)), 'utf8');

/** Maps URL paths to the files that the emoji picker loads. */
function listData(): Map<string, string> {
  const emoji: Emoji[] = JSON.parse(read('data.json'));
  return new Map([
    ['emoji/en/data.json', JSON.stringify(emoji.flatMap(toPickerEmoji))],
    ['emoji/en/shortcodes.json', JSON.stringify(emoji.flatMap(toShortcodes))],
    ['emoji/en/messages.json', JSON.stringify(JSON.parse(read('messages.json')))],
  ]);
}

type PickerEmoji = Omit<Emoji, 'hexcode'>;

/** Returns the fields that the picker uses, for emoji that the API accepts. */
function toPickerEmoji({ label, tags, version, group, subgroup, skins, ...whole }: Emoji): PickerEmoji[] {
  const emoji = parseEmoji(whole.emoji);
  if (emoji === undefined || group === undefined || subgroup === undefined) return [];
  const acceptedSkins = (skins ?? []).flatMap((skin) => {
    const skinEmoji = parseEmoji(skin.emoji);
    return skinEmoji === undefined || skin.tone === undefined ? [] : [{ emoji: skinEmoji, tone: skin.tone }];
  });
  const shown = { emoji, label, version, group, subgroup, ...(tags && { tags }) };
  return [acceptedSkins.length > 0 ? { ...shown, skins: acceptedSkins } : shown];
}

type Shortcodes = Record<string, string | string[]>;

/** Those of Slack, which many know, then those of GitHub. */
const SHORTCODES: Shortcodes[] = ['iamcal', 'github'].map((name) => JSON.parse(read(`shortcodes/${name}.json`)));

/** Returns an emoji that the API accepts, followed by its shortcodes. */
function toShortcodes({ hexcode, emoji: original, group }: Emoji): string[][] {
  const emoji = parseEmoji(original);
  const codes = new Set(SHORTCODES.flatMap(({ [hexcode]: found = [] }) => found));
  return emoji === undefined || group === undefined || codes.size === 0 ? [] : [[emoji, ...codes]];
}

/** Serves the English emoji data from our own origin; by default, the picker loads it from a CDN. */
export function emojiData(): Plugin {
  return {
    name: 'emoji-data',
    configureServer(server) {
      const data = listData();
      server.middlewares.use((req, res, next) => {
        const text = data.get((req.url ?? '').split('?')[0]?.slice(1) ?? '');
        if (text === undefined) return next();
        res.setHeader('Content-Type', 'application/json');
        res.end(text);
      });
    },
    generateBundle() {
      for (const [fileName, source] of listData()) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
