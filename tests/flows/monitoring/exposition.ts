export type Series = { name: string; labels: ReadonlyMap<string, string> };

/** The series of Prometheus' text format. */
export function readExposition(text: string): Series[] {
  return [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: new Map([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value])),
  }));
}

/** The same with the label that tells installations apart, as scraping in a cluster adds it. */
export const asScraped = ({ name, labels }: Series): Series => ({
  name,
  labels: new Map([...labels, ['namespace', 'atrium']]),
});
