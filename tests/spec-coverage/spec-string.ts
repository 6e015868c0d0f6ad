/**
 * A text of the specification that the product shows to the letter, with the section it stands in and where it is shown. `{…}` stands for
 * what the product puts in.
 */
export type SpecString = {
  section: string;
  shown: string;
  text: string;
  /** The forms of the web app do not let it come up, so an answer of the API is where it is seen. */
  fromApi?: true;
};

type Rows = Record<string, readonly string[]>;

export const rowsOf = (section: string, rows: Rows): SpecString[] =>
  Object.entries(rows).flatMap(([shown, texts]) => texts.map((text) => ({ section, shown, text })));

/** For texts that only the API says. */
export const answersOf = (section: string, rows: Rows): SpecString[] =>
  rowsOf(section, rows).map((entry) => ({ ...entry, fromApi: true }));
