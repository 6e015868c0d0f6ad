import type { Message } from '@atrium/proto-events/http/chat-messages';
import { labelsOf, mentionLabel, splitMentions } from '#entities/conversation/mention-labels.ts';
import { messagePath } from '#entities/conversation/message-path.ts';

const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 5_000;

/** The texts of a task or a meeting that is created from a message. */
type MessageDraft = { id: string; title: string; description: string };

/** The title is the first line, without Markdown; the description is the rest, and a link to the message. */
export function toDraft(message: Message, origin: string = location.origin): MessageDraft {
  const { _id: id, conversation, seq, thread } = message;
  const root = thread?.root === id ? null : thread?.root;
  const link = origin + messagePath({ conversation, seq, root });
  const [firstLine = '', ...otherLines] = withNames(message).trim().split('\n');
  const line = withoutMarkup(firstLine) || message.attachments[0]?.name || '';
  const title = cut(line, MAX_TITLE_LENGTH);
  const rest = (title === line ? otherLines : [line, ...otherLines]).join('\n').trim();
  const text = cut(rest, MAX_DESCRIPTION_LENGTH - link.length - 2);
  return { id, title, description: text === '' ? link : `${text}\n\n${link}` };
}

function withNames({ content, mentions }: Message): string {
  const labels = labelsOf(mentions);
  return splitMentions(content)
    .map(({ text, mention }) => (mention ? mentionLabel(mention, labels) : text))
    .join('');
}

const BLOCK_MARKUP = /^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+|`{3,}.*$)/u;
const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/gu;
const INLINE_MARKUP = /(\*\*\*|\*\*|\*|~~|`+|(?<![\p{L}\p{N}_])__?(?=\S))(?=\S)(.+?)(?<=\S)\1/gu;

/** Removes the markup of a line of Markdown. Markup without its end is text. */
function withoutMarkup(line: string): string {
  let text = line.replace(BLOCK_MARKUP, '').replace(LINK, '$1');
  for (let previous = ''; previous !== text; ) {
    previous = text;
    text = text.replace(INLINE_MARKUP, '$2');
  }
  return text.replace(/\s+/gu, ' ').trim();
}

/** Cuts no surrogate pair. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
