import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Series } from './metrics.ts';

type Matcher = { label: string; operator: string; value: string };

/** Lists the errors of a query for these series: syntax errors, and unknown metrics, labels, and label values. */
export function checkQuery(query: string, series: readonly Series[]): string[] {
  // Replaces Grafana's variables: the interval, and the selected installations.
  const text = query.replaceAll(/\$__\w+/g, '5m').replaceAll('$namespace', '.*');
  const errors: string[] = [];
  const read = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  parser.parse(text).iterate({
    enter({ type, node, from }) {
      if (type.isError) errors.push(`cannot be read at ${from}: ${text.slice(from, from + 20)}`);
      if (type.name === 'VectorSelector') errors.push(...checkSelector(node, series, read));
      if (type.name === 'AggregateExpr') errors.push(...checkGrouping(node, series, read));
    },
  });
  return errors;
}

type Read = (range: { from: number; to: number }) => string;

function checkSelector(node: SyntaxNode, series: readonly Series[], read: Read): string[] {
  const name = readMetricName(node, read);
  const candidates = series.filter((candidate) => candidate.name === name);
  if (candidates.length === 0) return [`no process exports ${name}`];
  const matchers = readMatchers(node, read);
  const unknown = matchers.filter(({ label }) => !candidates.some(({ labels }) => labels.has(label)));
  if (unknown.length > 0) return unknown.map(({ label }) => `${name} has no label ${label}`);
  const unmatched = matchers
    .flatMap(listAlternatives)
    .filter((alternative) => !candidates.some((candidate) => hasValue(candidate, alternative)));
  if (unmatched.length > 0) return [`${name} never has ${unmatched.map(formatMatcher).join()}`];
  const isMatched = candidates.some((candidate) => matchers.every((matcher) => isMet(candidate, matcher)));
  return isMatched ? [] : [`${name} never has ${matchers.map(formatMatcher).join()} at the same time`];
}

const formatMatcher = ({ label, operator, value }: Matcher): string => `${label}${operator}"${value}"`;

/**
 * Lists each alternative value of a matcher. One without a series is a typo, because it matches or excludes nothing.
 */
const listAlternatives = ({ label, operator, value }: Matcher): Matcher[] => {
  const isExpression = operator.endsWith('~');
  const parts = isExpression && !value.includes('(') ? value.split('|') : [value];
  return parts.map((part) => ({ label, operator: isExpression ? '=~' : '=', value: part }));
};

/** Whether a series has the value. A missing label has the empty value, and regular expressions are anchored. */
const hasValue = ({ labels }: Series, { label, operator, value }: Matcher): boolean => {
  const ownValue = labels.get(label) ?? '';
  return operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(ownValue) : ownValue === value;
};

const isMet = (series: Series, matcher: Matcher): boolean =>
  hasValue(series, matcher) !== matcher.operator.startsWith('!');

/** Finds unknown labels in a grouping, which would put all series into one group. */
function checkGrouping(node: SyntaxNode, series: readonly Series[], read: Read): string[] {
  const grouping = node.getChild('AggregateModifier')?.getChild('GroupingLabels');
  const labels = grouping?.getChildren('LabelName').map(read) ?? [];
  return findAll(node, 'VectorSelector').flatMap((selector) => {
    const name = readMetricName(selector, read);
    const candidates = series.filter((candidate) => candidate.name === name);
    return labels
      .filter((label) => candidates.length > 0 && !candidates.some((candidate) => candidate.labels.has(label)))
      .map((label) => `${name} cannot be grouped by ${label}`);
  });
}

const readMetricName = (selector: SyntaxNode, read: Read): string => {
  const identifier = selector.getChild('Identifier');
  return identifier ? read(identifier) : '';
};

function readMatchers(selector: SyntaxNode, read: Read): Matcher[] {
  return findAll(selector, 'UnquotedLabelMatcher').map((matcher) => {
    const readPart = (name: string) => {
      const child = matcher.getChild(name);
      return child ? read(child) : '';
    };
    return {
      label: readPart('LabelName'),
      operator: readPart('MatchOp'),
      value: readPart('StringLiteral').slice(1, -1),
    };
  });
}

/** Finds the descendants of a node with this name. */
export function findAll(node: SyntaxNode, name: string): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  node.cursor().iterate((descendant) => {
    if (descendant.name === name) nodes.push(descendant.node);
  });
  return nodes;
}
