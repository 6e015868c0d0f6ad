const numbers = new Intl.NumberFormat('en-US');

/** '1,234' */
export const formatNumber = (value: number): string => numbers.format(value);

/** Formats the total of a list. Searches count up to 1,000, which is shown as '1,000+'. */
export const formatCount = ({ total, more }: { total: number; more?: true | undefined }) =>
  `${formatNumber(total)}${more ? '+' : ''}`;

/** '1 character too long', '1,234 characters too long'. */
export function excessLabel(surplus: number): string {
  return `${formatNumber(surplus)} ${surplus === 1 ? 'character' : 'characters'} too long`;
}
