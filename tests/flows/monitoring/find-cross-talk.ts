import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { findAll } from './check-query.ts';

/**
 * Finds parts of a query that combine several installations, because they group or match without the label `namespace`.
 */
export function findUnscoped(query: string): string[] {
  const { topNode } = parser.parse(query);
  const read = ({ from, to }: { from: number; to: number }) => query.slice(from, to);
  const hasNamespace = (modifier: SyntaxNode | null) =>
    modifier?.getChild('GroupingLabels')?.getChildren('LabelName').map(read).includes('namespace') === true;
  return [
    ...findAll(topNode, 'AggregateExpr').filter((node) => {
      const modifier = node.getChild('AggregateModifier');
      return !(modifier?.getChild('By') && hasNamespace(modifier));
    }),
    ...findAll(topNode, 'MatchingModifierClause').filter((node) => node.getChild('On') && !hasNamespace(node)),
  ].map(read);
}

/** Finds selectors in a dashboard's query that are not limited to the selected installation. */
export function findUnfilteredSelectors(query: string): string[] {
  return findAll(parser.parse(query).topNode, 'VectorSelector')
    .map(({ from, to }) => query.slice(from, to))
    .filter((selector) => !/[{,]namespace=~"\$namespace"[,}]/.test(selector));
}
