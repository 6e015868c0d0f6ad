const PRODUCT = 'Atrium';
const MAX_SHOWN = 99;
const ICONS = { read: '/mark.svg', unread: '/mark-unread.svg' };

let title = PRODUCT;
let unread = 0;

/** Names the tab after the screen that it shows. */
export function setScreenTitle(screen: string): void {
  title = `${screen} · ${PRODUCT}`;
  update();
}

/** Shows in the tab how much is unread, for somebody who looks at another one: before the title, and as a dot on the icon. */
export function setUnreadCount(count: number): void {
  unread = count;
  update();
}

function update(): void {
  const count = unread > MAX_SHOWN ? `${MAX_SHOWN}+` : String(unread);
  document.title = unread > 0 ? `(${count}) ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = unread > 0 ? ICONS.unread : ICONS.read;
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}
