import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Series } from './metrics.ts';

type Matcher = { label: string; operator: string; value: string };

/** Errors of a query for these series: syntax, metrics, labels, and label values. */
export function checkQuery(query: string, series: readonly Series[]): string[] {
  // Variables that Grafana replaces: an interval, and the selected installations.
  const text = query.replaceAll(/\$__\w+/g, '5m').replaceAll('$namespace', '.*');
  const faults: string[] = [];
  const read = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  parser.parse(text).iterate({
    enter({ type, node, from }) {
      if (type.isError) faults.push(`cannot be read at ${from}: ${text.slice(from, from + 20)}`);
      if (type.name === 'VectorSelector') faults.push(...checkSelector(node, series, read));
      if (type.name === 'AggregateExpr') faults.push(...checkGrouping(node, series, read));
    },
  });
  return faults;
}

type Read = (place: { from: number; to: number }) => string;

function checkSelector(node: SyntaxNode, series: readonly Series[], read: Read): string[] {
  const name = nameOf(node, read);
  const ofName = series.filter((one) => one.name === name);
  if (ofName.length === 0) return [`no process exports ${name}`];
  const matchers = matchersOf(node, read);
  const unknown = matchers.filter(({ label }) => !ofName.some(({ labels }) => labels.has(label)));
  if (unknown.length > 0) return unknown.map(({ label }) => `${name} has no label ${label}`);
  const never = matchers.flatMap(alternativesOf).filter((one) => !ofName.some((series) => has(series, one)));
  if (never.length > 0) return [`${name} never has ${never.map(formatMatcher).join()}`];
  const isThere = ofName.some((one) => matchers.every((matcher) => isMet(one, matcher)));
  return isThere ? [] : [`${name} never has ${matchers.map(formatMatcher).join()} at the same time`];
}

const formatMatcher = ({ label, operator, value }: Matcher): string => `${label}${operator}"${value}"`;

/** Each alternative value of a matcher: one without a series is a typo, because it matches or excludes nothing. */
const alternativesOf = ({ label, operator, value }: Matcher): Matcher[] => {
  const isExpression = operator.endsWith('~');
  const parts = isExpression && !value.includes('(') ? value.split('|') : [value];
  return parts.map((part) => ({ label, operator: isExpression ? '=~' : '=', value: part }));
};

/** Whether a series has the value. A missing label has the empty value, and regular expressions are anchored. */
const has = ({ labels }: Series, { label, operator, value }: Matcher): boolean => {
  const own = labels.get(label) ?? '';
  return operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(own) : own === value;
};

const isMet = (series: Series, matcher: Matcher): boolean => has(series, matcher) !== matcher.operator.startsWith('!');

/** Labels of a grouping must exist, or everything would be one group. */
function checkGrouping(node: SyntaxNode, series: readonly Series[], read: Read): string[] {
  const grouping = node.getChild('AggregateModifier')?.getChild('GroupingLabels');
  const labels = grouping?.getChildren('LabelName').map(read) ?? [];
  return findAll(node, 'VectorSelector').flatMap((selector) => {
    const name = nameOf(selector, read);
    const ofName = series.filter((one) => one.name === name);
    return labels
      .filter((label) => ofName.length > 0 && !ofName.some((one) => one.labels.has(label)))
      .map((label) => `${name} cannot be grouped by ${label}`);
  });
}

const nameOf = (selector: SyntaxNode, read: Read): string => {
  const identifier = selector.getChild('Identifier');
  return identifier ? read(identifier) : '';
};

function matchersOf(selector: SyntaxNode, read: Read): Matcher[] {
  return findAll(selector, 'UnquotedLabelMatcher').map((matcher) => {
    const part = (name: string) => {
      const found = matcher.getChild(name);
      return found ? read(found) : '';
    };
    return { label: part('LabelName'), operator: part('MatchOp'), value: part('StringLiteral').slice(1, -1) };
  });
}

/** The descendants of a node with a given name. */
export function findAll(node: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((place) => {
    if (place.name === name) found.push(place.node);
  });
  return found;
}
