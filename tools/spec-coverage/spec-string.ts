/** A text that Atrium must show verbatim. `{…}` is a placeholder. */
export type SpecString = {
  section: string;
  shown: string;
  text: string;
  /** Whether the text is checked in API responses, because no form of the web app can show it. */
  fromApi?: true;
};

type Rows = Record<string, readonly string[]>;

export const toSpecStrings = (section: string, rows: Rows): SpecString[] =>
  Object.entries(rows).flatMap(([shown, texts]) => texts.map((text) => ({ section, shown, text })));

/** Creates entries for texts that only the API returns. */
export const toApiStrings = (section: string, rows: Rows): SpecString[] =>
  toSpecStrings(section, rows).map((entry) => ({ ...entry, fromApi: true }));
