/** Once a row of a form is taken away: onto what takes the next one away, else the one before, else onto what adds one. */
export function focusAfterRemoved(box: HTMLElement | null, index: number): void {
  requestAnimationFrame(() => {
    const rows = box?.querySelectorAll('li') ?? [];
    const row = rows[Math.min(index, rows.length - 1)];
    const next = row ? row.querySelector<HTMLElement>('[aria-label^="Remove"]') : box?.querySelector<HTMLElement>(ADD);
    next?.focus();
  });
}

const ADD = ':scope > button';
