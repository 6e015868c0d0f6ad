import { PROCESSES, type Variable } from './read-variables.ts';

const INTRODUCTION = `# Configuration

Every process reads its configuration from environment variables, validates all of it at startup, and reports every error at once. An empty variable counts as unset. \`npm start\` sets the required ones; in other deployments, set them for each process. Secrets are never logged, and example values (\`replace-me\`, \`changeme\`, \`password\`, …) are rejected: \`npm run secrets\` generates secrets, and [secrets](secrets.md) describes how to rotate them.

This page is generated from the schemas (\`src/config.ts\` of each process, and \`config/env.ts\` of the service kit) by \`npm run docs:config\`.
`;

/** Throws if two processes describe a variable differently. */
export function renderTable(variables: readonly Variable[]): string {
  const byName = [...Map.groupBy(variables, ({ name }) => name).values()];
  const rows = byName.toSorted((a, b) => b.length - a.length);
  const sections = Map.groupBy(rows, toSectionTitle);
  return [
    INTRODUCTION,
    ...[...sections].map(
      ([title, section]) =>
        `## ${title}\n\n| variable | default | meaning |\n|---|---|---|\n${section.map(renderRow).join('')}`,
    ),
  ].join('\n');
}

function toSectionTitle(readers: readonly Variable[]): string {
  const names = readers.map(({ process }) => process);
  if (PROCESSES.every((name) => names.includes(name))) return 'Every process';
  if (PROCESSES.every((name) => names.includes(name) || name === 'gateway')) return 'Every service';
  return names.join(', ');
}

function renderRow(readers: readonly Variable[]): string {
  const [first, ...others] = readers;
  if (!first) throw new Error('Variable without a reader');
  const { name, process, isSecret, description, values } = first;
  const conflicting = others.find((variable) => variable.description !== description || variable.isSecret !== isSecret);
  if (conflicting) throw new Error(`${name} is described differently by ${process} and ${conflicting.process}`);
  const choice = values.length > 0 ? ` (${values.map((value) => `\`${value}\``).join(', ')})` : '';
  return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${renderDefault(readers)} | ${description.replaceAll('|', '\\|')}${choice} |\n`;
}

function renderDefault(readers: readonly Variable[]): string {
  const value = readers[0]?.default;
  if (value) return `\`${value}\``;
  const requiringProcesses = readers.filter(({ isRequired }) => isRequired).map(({ process }) => process);
  if (requiringProcesses.length === 0) return '–';
  return requiringProcesses.length === readers.length ? 'required' : `required by ${requiringProcesses.join(', ')}`;
}
