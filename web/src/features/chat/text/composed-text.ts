import { findMentions } from '@atrium/proto-events/text/mentions';
import { type MentionLabels, mentionLabel, splitMentions } from '#entities/conversation/mention-labels.ts';
import { isRecord } from '#lib/is-record.ts';

/** A mention in a text that is being written: `text` is what the field shows, `token` is what is sent. */
type InsertedMention = { at: number; text: string; token: string };

/** A text as its field shows it, and the mentions that were inserted into it, in order. Other text is never a mention. */
export type ComposedText = { text: string; mentions?: readonly InsertedMention[] | undefined };

const endOf = ({ at, text }: InsertedMention) => at + text.length;

/** Returns the content of a message. A mention in code is text. */
export function toContent(composed: ComposedText): string {
  const { text, mentions = [] } = composed;
  let content = '';
  let end = 0;
  const tokens: { at: number; mention: InsertedMention }[] = [];
  for (const mention of mentions) {
    content += text.slice(end, mention.at);
    tokens.push({ at: content.length, mention });
    content += mention.token;
    end = endOf(mention);
  }
  content += text.slice(end);
  const found = new Set(findMentions(content).map(({ at }) => at));
  const effective = tokens.flatMap(({ at, mention }) => (found.has(at) ? [mention] : []));
  return effective.length === mentions.length ? content : toContent({ text, mentions: effective });
}

/** Returns the text to edit of a message or of a part of it. */
export function fromContent(content: string, labels: MentionLabels = {}): ComposedText {
  let text = '';
  const mentions: InsertedMention[] = [];
  for (const part of splitMentions(content)) {
    const shown = part.mention ? mentionLabel(part.mention, labels) : part.text;
    if (part.mention) mentions.push({ at: text.length, text: shown, token: part.text });
    text += shown;
  }
  return { text, mentions };
}

export const labelsIn = ({ mentions = [] }: ComposedText): MentionLabels =>
  Object.fromEntries(mentions.map(({ text, token }) => [token, text]));

/** Applies a change of the text, which ends at the caret if that is given. A changed name is no longer a mention. */
export function withText(composed: ComposedText, text: string, caret = 0): ComposedText {
  const { start, removedEnd } = findChange(composed.text, text, caret);
  const shift = text.length - composed.text.length;
  const mentions = (composed.mentions ?? []).flatMap((mention) => {
    if (endOf(mention) <= start) return [mention];
    return mention.at >= removedEnd ? [{ ...mention, at: mention.at + shift }] : [];
  });
  return { text, mentions };
}

/** Finds what was replaced: the text before `start` and after `removedEnd` is the same. */
function findChange(before: string, after: string, caret: number): { start: number; removedEnd: number } {
  let same = 0;
  const maxEnd = Math.min(before.length, after.length - caret);
  while (same < maxEnd && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const maxStart = Math.min(before.length, after.length) - same;
  let start = 0;
  while (start < maxStart && before[start] === after[start]) start += 1;
  return { start, removedEnd: before.length - same };
}

type Insertion = { from: number; to: number; text: string; token: string };

/** Replaces a range with a mention and a space, after which the caret belongs. */
export function insertMention(composed: ComposedText, { from, to, text, token }: Insertion) {
  const rest = composed.text.slice(to);
  const space = rest.startsWith(' ') ? '' : ' ';
  const caret = from + text.length + 1;
  const changed = withText(composed, `${composed.text.slice(0, from)}${text}${space}${rest}`, caret - 1 + space.length);
  const mentions = [...(changed.mentions ?? []), { at: from, text, token }].sort((a, b) => a.at - b.at);
  return { composed: { text: changed.text, mentions }, caret };
}

export function joinLines(first: ComposedText, second: ComposedText): ComposedText {
  const shift = first.text.length + 1;
  const moved = (second.mentions ?? []).map((mention) => ({ ...mention, at: mention.at + shift }));
  return { text: `${first.text}\n${second.text}`, mentions: [...(first.mentions ?? []), ...moved] };
}

export function isComposedText(value: unknown): value is ComposedText {
  if (!isRecord(value) || typeof value.text !== 'string') return false;
  const { text, mentions = [] } = value;
  return Array.isArray(mentions) && mentions.every((mention) => isInserted(mention, text));
}

const isInserted = (mention: unknown, text: string): boolean =>
  isRecord(mention) &&
  typeof mention.at === 'number' &&
  typeof mention.token === 'string' &&
  typeof mention.text === 'string' &&
  text.startsWith(mention.text, mention.at);
