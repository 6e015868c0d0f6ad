import { formatNumber } from './formats.ts';
/** How many a list holds; a search counts up to 1,000, and is known to have found more (decisions, section 10): '1,000+'. */
export const formatCount = ({ total, more }: { total: number; more?: true | undefined }) =>
  `${formatNumber(total)}${more ? '+' : ''}`;
