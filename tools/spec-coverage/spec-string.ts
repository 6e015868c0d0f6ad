/** Shown verbatim. `{…}` is a placeholder. */
export type SpecString = {
  section: string;
  shown: string;
  text: string;
  /** No form of the web app can show it, so it is checked in API responses. */
  fromApi?: true;
};

type Rows = Record<string, readonly string[]>;

export const rowsOf = (section: string, rows: Rows): SpecString[] =>
  Object.entries(rows).flatMap(([shown, texts]) => texts.map((text) => ({ section, shown, text })));

/** For texts that only the API returns. */
export const answersOf = (section: string, rows: Rows): SpecString[] =>
  rowsOf(section, rows).map((entry) => ({ ...entry, fromApi: true }));
