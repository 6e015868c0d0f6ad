type HiddenItems = {
  undated: number;
  /** A number of items, such as '2 tasks'. */
  label: (count: number) => string;
  /** Items of pages that have not been requested. */
  unloaded: number;
};

/** Says which items a timeline does not show, in a sentence after others; empty if it shows all. */
export function hiddenItemsText({ undated, label, unloaded }: HiddenItems): string {
  const parts = [
    undated > 0 && `${label(undated)} without a date`,
    unloaded > 0 && `${label(unloaded)} that you can load below`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? ` Not shown: ${parts.join(' and ')}.` : '';
}
