/**
 * The design tokens as typed values for styled-components. Their values are in tokens.css, per theme; components use
 * `${theme.color.line}` and never a literal color.
 */
export const theme = {
  color: {
    ground: 'var(--ground)',
    surface: 'var(--surface)',
    sunken: 'var(--sunken)',
    line: 'var(--line)',
    lineStrong: 'var(--line-strong)',
    selected: 'var(--selected)',
    text: 'var(--text)',
    text2: 'var(--text-2)',
    text3: 'var(--text-3)',
    accent: 'var(--accent)',
    accentHover: 'var(--accent-hover)',
    accentSoft: 'var(--accent-soft)',
    onAccent: 'var(--on-accent)',
    danger: 'var(--danger)',
    dangerHover: 'var(--danger-hover)',
    dangerSoft: 'var(--danger-soft)',
    onDanger: 'var(--on-danger)',
    warning: 'var(--warning)',
    warningSoft: 'var(--warning-soft)',
    success: 'var(--success)',
    successSoft: 'var(--success-soft)',
    info: 'var(--info)',
    infoSoft: 'var(--info-soft)',
    veil: 'var(--veil)',
    /** A subtle overlay for hovered rows on any background. */
    hover: 'color-mix(in srgb, var(--line) 45%, transparent)',
  },
  text: {
    xs: 'var(--t-xs) var(--font)',
    sm: 'var(--t-sm) var(--font)',
    md: 'var(--t-md) var(--font)',
    lg: 'var(--t-lg) var(--font)',
    xl: 'var(--t-xl) var(--font)',
    xxl: 'var(--t-2xl) var(--font)',
    mono: 'var(--t-sm) var(--mono)',
  },
  space: {
    1: 'var(--s-1)',
    2: 'var(--s-2)',
    3: 'var(--s-3)',
    4: 'var(--s-4)',
    5: 'var(--s-5)',
    6: 'var(--s-6)',
    8: 'var(--s-8)',
    10: 'var(--s-10)',
  },
  /** The inline padding of cards and lists, and the padding of forms; narrower on small screens. */
  gutter: { card: 'var(--card-gutter)', panel: 'var(--panel-gutter)' },
  radius: { sm: 'var(--r-sm)', md: 'var(--r-md)', lg: 'var(--r-lg)', full: 'var(--r-full)' },
  shadow: { low: 'var(--shadow-1)', float: 'var(--shadow-2)', modal: 'var(--shadow-3)', focus: 'var(--focus)' },
  motion: { ease: 'var(--ease)', fast: 'var(--fast)', slow: 'var(--slow)', slide: 'var(--slide)' },
  /** Height of a control: 36 pixels, 44 on touch screens. */
  control: 'var(--control)',
  layer: { bar: 10, overlay: 100, popover: 110, toast: 120 },
  media: {
    /** Phones. */
    small: '@media (max-width: 639px)',
    /** Below the width at which the sidebar is shown. */
    compact: '@media (max-width: 1023px)',
    /** For users who prefer reduced motion; transitions of the `motion` tokens stop automatically. */
    still: '@media (prefers-reduced-motion: reduce)',
  },
} as const;
