const PRODUCT = 'Atrium';
const MAX_COUNT = 99;
const ICONS = { read: '/mark.svg', unread: '/mark-unread.svg' };

let title = PRODUCT;
let unread = 0;

export function setScreenTitle(screen: string): void {
  title = `${screen} · ${PRODUCT}`;
  update();
}

export function setUnreadCount(count: number): void {
  unread = count;
  update();
}

function update(): void {
  const count = unread > MAX_COUNT ? `${MAX_COUNT}+` : String(unread);
  document.title = unread > 0 ? `(${count}) ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = unread > 0 ? ICONS.unread : ICONS.read;
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}

export const SCREEN_TITLE = 'screen-title';
