// Browsers import this module, so it has no schemas.

export type MentionedGroup = { type: 'department' | 'project'; id: string };

/**
 * The mentions of a message. `here` are the participants who are online, `everyone` all of them, and `groups` those who
 * are in a department or project.
 */
export type Mentions = { users: string[]; here: boolean; everyone: boolean; groups: MentionedGroup[] };

export type MentionToken = { at: number; text: string } & (
  | { kind: 'user' | 'conversation' | MentionedGroup['type']; id: string }
  | { kind: 'here' | 'everyone' }
);

/**
 * A mention is a token in the content of a message, such as `<@0123456789abcdef01234567>`, `<@everyone>`, or
 * `<@department:0123456789abcdef01234567>`.
 */
const TOKEN = /<(?:@(here|everyone)|(@|#|@department:|@project:)([0-9a-f]{24}))>/g;

const KINDS = { '@': 'user', '#': 'conversation', '@department:': 'department', '@project:': 'project' } as const;

export const mentionOf = (user: string): string => `<@${user}>`;
export const mentionOfGroup = ({ type, id }: MentionedGroup): string => `<@${type}:${id}>`;
export const mentionOfConversation = (conversation: string): string => `<#${conversation}>`;
export const MENTION_HERE = '<@here>';
export const MENTION_EVERYONE = '<@everyone>';

/** Maximum number of users that one message mentions; further ones are shown, but not notified. */
export const MAX_MENTIONED_USERS = 100;
/** The same for departments and projects. */
export const MAX_MENTIONED_GROUPS = 10;

/** Fenced code, and code in a line. A fence without an end lasts until the end of the text (CommonMark 0.31, 4.5). */
const CODE =
  /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*?^ {0,3}\1|[\s\S]*$)|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\2(?!`)/gm;

/** The text without its code, in which nothing is a mention or a link. */
export const withoutCode = (content: string): string => content.replace(CODE, ' ');

/** Finds the mentions in a text, except in code. */
export function findMentions(content: string): MentionToken[] {
  if (!content.includes('<')) return [];
  const code = [...content.matchAll(CODE)].map(({ index, 0: { length } }) => [index, index + length] as const);
  return [...content.matchAll(TOKEN)]
    .filter(({ index }) => !code.some(([start, end]) => start <= index && index < end))
    .map(({ index: at, 0: text, 1: group, 2: sign, 3: id = '' }): MentionToken => {
      if (group === 'here' || group === 'everyone') return { at, text, kind: group };
      return { at, text, kind: KINDS[sign as keyof typeof KINDS], id };
    });
}

export function listMentions(content: string): Mentions {
  const tokens = findMentions(content);
  const users = new Set(tokens.flatMap((token) => (token.kind === 'user' ? [token.id] : [])));
  const groups = new Map(
    tokens.flatMap((token) =>
      token.kind === 'department' || token.kind === 'project' ? [[token.id, { type: token.kind, id: token.id }]] : [],
    ),
  );
  return {
    users: [...users].slice(0, MAX_MENTIONED_USERS),
    here: tokens.some(({ kind }) => kind === 'here'),
    everyone: tokens.some(({ kind }) => kind === 'everyone'),
    groups: [...groups.values()].slice(0, MAX_MENTIONED_GROUPS),
  };
}

/** Whether a message may notify many users at once, which a channel can restrict. */
export const mentionsGroups = ({ here, everyone, groups }: Mentions): boolean => here || everyone || groups.length > 0;
