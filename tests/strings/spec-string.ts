/** Whose turn a text belongs to: `people` is accounts, people, departments, projects, tasks and the shell. */
export type Owner = 'people' | 'chat' | 'meetings' | 'documents';

/**
 * A text of the specification that the product shows to the letter, with the section it stands in and where it is shown. `{…}` stands for
 * what the product puts in.
 */
export type SpecString = { section: string; shown: string; text: string; owner: Owner };

type Rows = Record<string, readonly string[]>;

export const rowsOf = (owner: Owner, section: string, rows: Rows): SpecString[] =>
  Object.entries(rows).flatMap(([shown, texts]) => texts.map((text) => ({ section, shown, text, owner })));
