import type { Message } from '@atrium/proto-events/http/chat/messages';
import { findMentions, type MentionToken, mentionOf, mentionOfGroup } from '@atrium/proto-events/text/mentions';
import { displayName, type NamedUser } from '../user/user-labels.ts';
import { getTitle } from './conversation-titles.ts';

/** Texts of mentions by token, such as `@Ann Lee` for `<@0123456789abcdef01234567>`. */
export type MentionLabels = Readonly<Record<string, string>>;

export function mentionLabel(mention: MentionToken, labels: MentionLabels): string {
  if (!('id' in mention)) return `@${mention.kind}`;
  const label = labels[mention.text];
  if (mention.kind !== 'conversation') return label ?? '@unknown';
  const title = getTitle(mention.id);
  return title === undefined ? (label ?? '#unknown') : `#${title}`;
}

type Mentioned = { users: readonly NamedUser[]; groups: Message['mentions']['groups'] };

export const labelsOf = ({ users, groups }: Mentioned): MentionLabels =>
  Object.fromEntries([
    ...users.map((user) => [mentionOf(user._id), `@${displayName(user)}`]),
    ...groups.map(({ type, _id: id, name }) => [mentionOfGroup({ type, id }), `@${name}`]),
  ]);

export type TextPart = { at: number; text: string; mention?: MentionToken };

/** Splits a text into its mentions and what is between them. */
export function splitMentions(content: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const mention of findMentions(content)) {
    if (mention.at > end) parts.push({ at: end, text: content.slice(end, mention.at) });
    parts.push({ at: mention.at, text: mention.text, mention });
    end = mention.at + mention.text.length;
  }
  if (end < content.length) parts.push({ at: end, text: content.slice(end) });
  return parts;
}
