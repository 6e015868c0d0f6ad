import { isolatesToHtml } from '@atrium/proto-events/text/isolate';
import type { EmailHeader, EmailLayout, Link } from './email-layout.ts';
import { STYLE_ELEMENT, STYLES, type StyleName } from './email-styles.ts';

/** Renders HTML without images or other external resources. Escapes all values. */
export function renderEmailHtml(layout: EmailLayout, header: EmailHeader): string {
  const { message, note } = layout;
  const card = [
    `<h1 dir="auto" ${styled('heading')}>${inline(layout.heading)}</h1>`,
    ...layout.paragraphs.map((text) => tag('p', 'paragraph', lines(text))),
    message === undefined ? '' : `<div dir="auto" ${styled('message')}>${lines(message)}</div>`,
    renderDetails(layout.details ?? []),
    renderItems(layout.items ?? []),
    renderChoices(layout.choices ?? []),
    layout.action ? renderAction(layout.action) : '',
    note === undefined ? '' : tag('p', 'note', lines(note)),
    ...(layout.quotes ?? []).map(renderSection),
  ].join('');
  const [preview = ''] = layout.paragraphs;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(layout.subject)}</title><style>${STYLE_ELEMENT}</style></head>
<body ${styled('body')}>${preview === '' ? '' : tag('div', 'preview', inline(preview))}<div ${styled('page')}>
${tag('p', 'brand', `<bdi>${escapeHtml(header.workspace)}</bdi>`)}
<div ${styled('card')}>${card}</div>
${renderFooter(layout, header)}
</div></body></html>
`;
}

const styled = (style: StyleName) => `class="a-${style}" style="${STYLES[style]}"`;

const tag = (name: string, style: StyleName, content: string) => `<${name} ${styled(style)}>${content}</${name}>`;

const link = ({ url, label }: Link, style: StyleName) =>
  `<a href="${escapeHtml(url)}" ${styled(style)}>${escapeHtml(label)}</a>`;

function renderDetails(rows: [string, string][]): string {
  if (rows.length === 0) return '';
  const cells = rows.map(
    ([label, value]) =>
      `<tr>${tag('th', 'label', escapeHtml(label))}${tag('td', 'fact', `<bdi>${renderLinkOrText(value)}</bdi>`)}</tr>`,
  );
  return tag('table', 'facts', cells.join(''));
}

const renderSection = ([label, text]: [string, string]) =>
  tag('div', 'section', `${tag('p', 'sectionLabel', escapeHtml(label))}<div dir="auto">${lines(text)}</div>`);

function renderItems(items: readonly Link[]): string {
  if (items.length === 0) return '';
  const entries = items.map(({ label, url }) =>
    tag('li', 'item', `<a href="${escapeHtml(url)}" dir="auto" ${styled('itemLink')}>${inline(label)}</a>`),
  );
  return tag('ul', 'items', entries.join(''));
}

const renderChoices = (choices: readonly Link[]) =>
  choices.length === 0 ? '' : tag('p', 'choices', choices.map((choice) => link(choice, 'choice')).join(' '));

function renderAction(action: NonNullable<EmailLayout['action']>): string {
  const button = tag('p', 'action', link(action, 'button'));
  return action.isSecret ? button + tag('p', 'note', `Or open this link: ${escapeHtml(action.url)}`) : button;
}

function renderFooter({ footnote, footerLinks = [] }: EmailLayout, { workspace, publicUrl }: EmailHeader): string {
  const links = footerLinks.map((footerLink) => link(footerLink, 'footLink')).join(' · ');
  const home = `<bdi>${escapeHtml(workspace)}</bdi> · ${link({ label: shortUrl(publicUrl), url: publicUrl }, 'footLink')}`;
  return tag('p', 'foot', [inline(footnote ?? ''), links, home].filter(Boolean).join('<br>'));
}

/** Links http and https URLs only. The meetings service allows no others either. */
function renderLinkOrText(value: string): string {
  return /^https?:\/\/\S+$/.test(value) ? link({ label: value, url: value }, 'link') : lines(value);
}

const inline = (text: string) => isolatesToHtml(escapeHtml(text));
const lines = (text: string) => inline(text).replaceAll('\n', '<br>');
const shortUrl = (url: string) => url.replace(/^https?:\/\//, '');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
