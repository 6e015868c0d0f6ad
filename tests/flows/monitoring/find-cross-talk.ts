import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { findAll } from './check-query.ts';

/** Parts of a query that would combine several installations: grouped or matched without the label `namespace`. */
export function findUnscoped(query: string): string[] {
  const { topNode } = parser.parse(query);
  const read = ({ from, to }: { from: number; to: number }) => query.slice(from, to);
  const keepsApart = (modifier: SyntaxNode | null) =>
    modifier?.getChild('GroupingLabels')?.getChildren('LabelName').map(read).includes('namespace') === true;
  return [
    ...findAll(topNode, 'AggregateExpr').filter((node) => {
      const modifier = node.getChild('AggregateModifier');
      return !(modifier?.getChild('By') && keepsApart(modifier));
    }),
    ...findAll(topNode, 'MatchingModifierClause').filter((node) => node.getChild('On') && !keepsApart(node)),
  ].map(read);
}

/** Selectors of a dashboard's query that are not limited to the selected installation. */
export function findUnfilteredSelectors(query: string): string[] {
  return findAll(parser.parse(query).topNode, 'VectorSelector')
    .map(({ from, to }) => query.slice(from, to))
    .filter((selector) => !/[{,]namespace=~"\$namespace"[,}]/.test(selector));
}
