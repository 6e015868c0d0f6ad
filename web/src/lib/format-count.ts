import { formatNumber } from './formats.ts';
/** The total of a list; searches count up to 1,000: '1,000+'. */
export const formatCount = ({ total, more }: { total: number; more?: true | undefined }) =>
  `${formatNumber(total)}${more ? '+' : ''}`;
