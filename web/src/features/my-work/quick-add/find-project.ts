import { foldText } from '@atrium/proto-events/text/fold';

export type NamedProject = { _id: string; name: string };

export type FoundProject = {
  project: NamedProject;
  /** Length of the name in the text, with punctuation after it. */
  length: number;
};

/** Punctuation at the end of a word. */
const WORD_END = /^[.,;:!?]*(?=\s|$)/;

const toKey = (text: string) => foldText(text.replaceAll('-', ' ')).trim();

/**
 * Finds the project that the text after `#` begins with: the longest name, or else the only project of which a word
 * begins with the first word of the text.
 */
export function findProject(text: string, projects: readonly NamedProject[]): FoundProject | undefined {
  const named = projects
    .filter(({ name }) => name !== '' && startsWithName(text, name))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (named) return { project: named, length: named.name.length + wordEnd(text, named.name.length) };
  const [token = ''] = text.split(/\s/, 1);
  const word = dropTrailing(token, '.,;:!?');
  const matches = filterProjects(word, projects);
  const exact = matches.filter(({ name }) => toKey(name) === toKey(word));
  const [project] = exact.length === 1 ? exact : matches.length === 1 ? matches : [];
  return project && { project, length: token.length };
}

const startsWithName = (text: string, name: string): boolean =>
  WORD_END.test(text.slice(name.length)) && toKey(text.slice(0, name.length)) === toKey(name);

const wordEnd = (text: string, from: number): number => WORD_END.exec(text.slice(from))?.[0].length ?? 0;

/** Removes any of the signs from the end of a text. */
export function dropTrailing(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Filters projects whose name, or a later word of it, begins with what was typed. */
export function filterProjects<P extends NamedProject>(typed: string, projects: readonly P[]): P[] {
  const key = toKey(typed);
  if (key === '') return [];
  return projects.filter(({ name }) => ` ${toKey(name)}`.includes(` ${key}`));
}
