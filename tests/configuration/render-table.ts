import { PROCESSES, type Variable } from './read-variables.ts';

const INTRODUCTION = `# Configuration

Every process reads its configuration from the environment, checks all of it at start, and lists every fault at once. An empty variable is one that is not set. \`npm start\` sets what has no default; an operator sets it for each process. What is marked as secret is never logged, and a value out of an example (\`replace-me\`, \`changeme\`, \`password\` …) is refused: \`npm run secrets\` makes them, and [secrets](secrets.md) says how each is changed.

This page is made from the schemas (\`src/config.ts\` of each process, and \`process/env.ts\` of the service kit) by \`npm run docs:config\`.
`;

/** The page of all variables, in sections by who reads them. Throws where two processes say different things of one. */
export function renderTable(variables: readonly Variable[]): string {
  const byName = [...Map.groupBy(variables, ({ name }) => name).values()];
  const rows = byName.toSorted((a, b) => b.length - a.length);
  const sections = Map.groupBy(rows, titleOf);
  return [
    INTRODUCTION,
    ...[...sections].map(
      ([title, section]) =>
        `## ${title}\n\n| variable | default | meaning |\n|---|---|---|\n${section.map(lineOf).join('')}`,
    ),
  ].join('\n');
}

function titleOf(readers: readonly Variable[]): string {
  const names = readers.map(({ process }) => process);
  if (PROCESSES.every((name) => names.includes(name))) return 'Every process';
  if (PROCESSES.every((name) => names.includes(name) || name === 'gateway')) return 'Every service';
  return names.join(', ');
}

function lineOf(readers: readonly Variable[]): string {
  const [first, ...others] = readers;
  if (!first) throw new Error('a variable that nobody reads');
  const { name, process, isSecret, meaning, values } = first;
  const other = others.find((one) => one.meaning !== meaning || one.isSecret !== isSecret);
  if (other) throw new Error(`${name} is one thing to ${process} and another to ${other.process}`);
  const choice = values.length > 0 ? ` (${values.map((one) => `\`${one}\``).join(', ')})` : '';
  return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${defaultOf(readers)} | ${meaning.replaceAll('|', '\\|')}${choice} |\n`;
}

function defaultOf(readers: readonly Variable[]): string {
  const value = readers[0]?.default;
  if (value) return `\`${value}\``;
  const needing = readers.filter(({ isRequired }) => isRequired).map(({ process }) => process);
  if (needing.length === 0) return '–';
  return needing.length === readers.length ? 'required' : `required by ${needing.join(', ')}`;
}
