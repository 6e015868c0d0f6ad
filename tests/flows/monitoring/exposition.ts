export type Series = { name: string; labels: ReadonlyMap<string, string> };

/** Parses the Prometheus text format. */
export function readExposition(text: string): Series[] {
  return [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: new Map([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value])),
  }));
}

/** Adds the label that distinguishes installations, as scraping in a cluster does. */
export const asScraped = ({ name, labels }: Series): Series => ({
  name,
  labels: new Map([...labels, ['namespace', 'atrium']]),
});
