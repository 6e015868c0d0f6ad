import { isolate, isolatesToHtml } from '@atrium/proto-events/text/isolate';

export type EmailLayout = {
  subject: string;
  heading: string;
  paragraphs: string[];
  details?: [label: string, value: string][];
  quotes?: [label: string, text: string][];
  /** Links in a list, such as of notifications. */
  items?: { label: string; url: string }[];
  choices?: { label: string; url: string }[];
  action?: { label: string; url: string };
  footnote: string;
};

type EmailHeader = { workspace: string; publicUrl: string };

/** The plain text version. The signature after `-- ` contains only the sender, because some clients hide it. */
export function renderEmailText(layout: EmailLayout, { workspace, publicUrl }: EmailHeader): string {
  const details = (layout.details ?? [])
    .map(([label, value]) => `${label}: ${value.split('\n').map(isolate).join('\n  ')}`)
    .join('\n');
  const quotes = (layout.quotes ?? []).map(([label, text]) => `${label}:\n${text}`);
  const items = (layout.items ?? []).map(({ label, url }) => `${label}\n${url}`).join('\n\n');
  const choices = (layout.choices ?? []).map(({ label, url }) => `${label}:\n${url}`).join('\n');
  const action = layout.action ? `${layout.action.label}:\n${layout.action.url}` : '';
  const signature = `-- \n${workspace}\n${publicUrl}`;
  return `${[layout.heading, ...layout.paragraphs, details, items, choices, action, ...quotes, layout.footnote, signature].filter(Boolean).join('\n\n')}\n`;
}

// The light palette of design/tokens.css, inline because most clients drop style elements. `DARK` has the dark palette.
const STYLE = {
  body: 'margin:0;padding:24px 12px;background:#f6f5f2;color:#1d1b19',
  page: "max-width:560px;margin:0 auto;font:16px/24px Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  brand: 'margin:0 0 16px;font-size:14px;line-height:20px;font-weight:600;color:#55504a',
  card: 'background:#ffffff;border:1px solid #e3e0d9;border-radius:12px;padding:28px 28px 24px',
  heading: 'margin:0 0 16px;font-size:20px;line-height:28px;font-weight:650;color:#1d1b19',
  paragraph: 'margin:0 0 16px;color:#1d1b19',
  facts: 'margin:0 0 20px;padding:12px 16px;background:#f6f5f2;border-radius:8px',
  fact: 'margin:0;font-size:14px;line-height:22px;color:#1d1b19',
  label: 'color:#6b655d',
  factLink: 'color:#4338ca;word-break:break-all',
  quote:
    'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #e3e0d9;font-size:14px;line-height:20px;color:#55504a',
  item: 'margin:0 0 12px',
  itemLink: 'color:#1d1b19;text-decoration:underline;text-decoration-color:#c9c5bd;text-underline-offset:3px',
  action: 'margin:4px 0 20px',
  button:
    'display:inline-block;padding:11px 20px;border-radius:8px;background:#4338ca;color:#ffffff;font-weight:600;text-decoration:none',
  choices: 'margin:4px 0 12px',
  choice:
    'display:inline-block;margin:0 4px 8px 0;padding:9px 18px;border:1px solid #4338ca;border-radius:8px;color:#4338ca;font-weight:600;text-decoration:none',
  link: 'margin:0;font-size:13px;line-height:18px;color:#6b655d;word-break:break-all',
  foot: 'margin:16px 0 0;font-size:12px;line-height:18px;color:#6b655d',
  footLink: 'color:#6b655d',
} as const;

const DARK = `@media (prefers-color-scheme:dark){
.a-body{background:#121214!important}.a-card{background:#1a1a1e!important;border-color:#303036!important}
.a-heading,.a-paragraph,.a-fact,.a-itemLink{color:#eeedea!important}.a-facts{background:#222227!important}
.a-brand,.a-quote{color:#b9b6b0!important}.a-quote{border-color:#303036!important}
.a-factLink{color:#a29bff!important}.a-label,.a-link,.a-foot,.a-footLink{color:#9b978f!important}.a-button{background:#a29bff!important;color:#17152f!important}.a-choice{border-color:#a29bff!important;color:#a29bff!important}}`;

/** Renders HTML without tables, images, or external resources. Escapes all values. */
export function renderEmailHtml(layout: EmailLayout, header: EmailHeader): string {
  const card = [
    renderHeading(layout.heading),
    ...layout.paragraphs.map((text) => tag('p', 'paragraph', lines(text))),
    renderDetails(layout.details ?? []),
    renderItems(layout.items ?? []),
    renderChoices(layout.choices ?? []),
    layout.action ? renderAction(layout.action) : '',
    ...(layout.quotes ?? []).map(([label, text]) =>
      tag('div', 'quote', `${strong(label)}<br><span dir="auto" style="display:block">${lines(text)}</span>`),
    ),
  ].join('');
  const homeLink = `<a href="${escapeHtml(header.publicUrl)}" class="a-footLink" style="${STYLE.footLink}">${escapeHtml(shortUrl(header.publicUrl))}</a>`;
  const footer = `${inline(layout.footnote)}<br><bdi>${escapeHtml(header.workspace)}</bdi> · ${homeLink}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(layout.subject)}</title><style>${DARK}</style></head>
<body class="a-body" style="${STYLE.body}"><div style="${STYLE.page}">
${tag('p', 'brand', `<bdi>${escapeHtml(header.workspace)}</bdi>`)}
<div class="a-card" style="${STYLE.card}">${card}</div>
${tag('p', 'foot', footer)}
</div></body></html>
`;
}

function tag(name: string, style: keyof typeof STYLE, content: string): string {
  return `<${name} class="a-${style}" style="${STYLE[style]}">${content}</${name}>`;
}

function renderHeading(text: string): string {
  return `<h1 dir="auto" class="a-heading" style="${STYLE.heading}">${inline(text)}</h1>`;
}

function renderDetails(rows: [string, string][]): string {
  if (rows.length === 0) return '';
  const paragraphs = rows.map(([label, value]) =>
    tag(
      'p',
      'fact',
      `<span class="a-label" style="${STYLE.label}">${escapeHtml(label)}</span>&ensp;<bdi>${renderLinkOrText(value)}</bdi>`,
    ),
  );
  return tag('div', 'facts', paragraphs.join(''));
}

function renderItems(items: NonNullable<EmailLayout['items']>): string {
  return items
    .map(({ label, url }) =>
      tag(
        'p',
        'item',
        `<a href="${escapeHtml(url)}" dir="auto" class="a-itemLink" style="${STYLE.itemLink}">${inline(label)}</a>`,
      ),
    )
    .join('');
}

function renderChoices(choices: NonNullable<EmailLayout['choices']>): string {
  if (choices.length === 0) return '';
  const buttons = choices.map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" class="a-choice" style="${STYLE.choice}">${escapeHtml(label)}</a>`,
  );
  return tag('p', 'choices', buttons.join(' '));
}

function renderAction({ label, url }: { label: string; url: string }): string {
  const button = `<a href="${escapeHtml(url)}" class="a-button" style="${STYLE.button}">${escapeHtml(label)}</a>`;
  return tag('p', 'action', button) + tag('p', 'link', `Or copy this link into your browser: ${escapeHtml(url)}`);
}

/** Links http and https URLs only. The meetings service allows no others either. */
function renderLinkOrText(value: string): string {
  if (!/^https?:\/\/\S+$/.test(value)) return lines(value);
  return `<a href="${escapeHtml(value)}" class="a-factLink" style="${STYLE.factLink}">${escapeHtml(value)}</a>`;
}

const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`;
const inline = (text: string) => isolatesToHtml(escapeHtml(text));
const lines = (text: string) => inline(text).replaceAll('\n', '<br>');
const shortUrl = (url: string) => url.replace(/^https?:\/\//, '');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
