// The light palette of design/tokens.css, inline because some mail programs drop style elements.
export const STYLES = {
  body: 'margin:0;padding:32px 16px;background:#f6f5f2;color:#1d1b19',
  page: "max-width:560px;margin:0 auto;font:16px/24px Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word",
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  brand: 'margin:0 4px 12px;font-size:14px;line-height:20px;font-weight:600;color:#55504a',
  card: 'background:#ffffff;border:1px solid #e3e0d9;border-radius:16px;padding:32px 32px 16px',
  heading: 'margin:0 0 12px;font-size:22px;line-height:30px;font-weight:650;letter-spacing:-0.01em;color:#1d1b19',
  paragraph: 'margin:0 0 16px;color:#1d1b19',
  message: 'margin:0 0 20px;padding:16px 20px;background:#f6f5f2;border-radius:12px;color:#1d1b19',
  facts: 'width:100%;margin:0 0 20px;border-collapse:collapse;font-size:14px;line-height:20px',
  label:
    'width:1%;padding:6px 16px 6px 0;white-space:nowrap;vertical-align:top;text-align:left;font-weight:400;color:#6b655d',
  fact: 'padding:6px 0;vertical-align:top;text-align:left;color:#1d1b19',
  link: 'color:#4338ca',
  section:
    'margin:0 0 20px;padding:16px 0 0;border-top:1px solid #e3e0d9;font-size:14px;line-height:22px;color:#1d1b19',
  sectionLabel: 'margin:0 0 4px;font-size:14px;line-height:22px;font-weight:600;color:#1d1b19',
  items: 'margin:0 0 20px;padding:0;list-style:none',
  item: 'margin:0;padding:12px 0;border-top:1px solid #e3e0d9',
  itemLink: 'color:#1d1b19;text-decoration:none',
  action: 'margin:16px 0 20px',
  button:
    'display:inline-block;padding:12px 24px;border-radius:10px;background:#4338ca;color:#ffffff;font-weight:600;text-decoration:none',
  choices: 'margin:16px 0 8px',
  choice:
    'display:inline-block;margin:0 8px 8px 0;padding:9px 18px;border:1px solid #c9c5bd;border-radius:10px;color:#1d1b19;font-weight:600;text-decoration:none',
  note: 'margin:0 0 16px;font-size:14px;line-height:20px;color:#55504a',
  foot: 'margin:16px 4px 0;font-size:13px;line-height:20px;color:#6b655d',
  footLink: 'color:#6b655d;text-decoration:underline',
} as const;

export type StyleName = keyof typeof STYLES;

/** For programs that keep style elements: the dark palette, and narrower margins on phones. */
export const STYLE_ELEMENT = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.a-body{padding:16px 8px!important}.a-card{padding:24px 20px 8px!important}}
@media (prefers-color-scheme:dark){
.a-body{background:#121214!important;color:#eeedea!important}
.a-card{background:#1a1a1e!important;border-color:#303036!important}
.a-heading,.a-paragraph,.a-fact,.a-section,.a-sectionLabel,.a-itemLink,.a-choice{color:#eeedea!important}
.a-message{background:#222227!important;color:#eeedea!important}
.a-section,.a-item{border-color:#303036!important}.a-choice{border-color:#4a4a52!important}
.a-brand,.a-note{color:#b9b6b0!important}
.a-label,.a-foot,.a-footLink{color:#9b978f!important}
.a-link{color:#a29bff!important}.a-button{background:#a29bff!important;color:#17152f!important}}`;
