import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { CSSProperties } from 'react';
import { css } from 'styled-components';
import { theme } from '#ui/theme.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';

/** Hues range from green to pink, because warm hues mark a tentative response. Other types use the theme's color. */
const HUES: Partial<Record<Meeting['type'], number>> = {
  standup: 150,
  'one-on-one': 180,
  'project-review': 208,
  retrospective: 320,
};

type HueStyle = CSSProperties & { '--event-bar'?: string; '--event-ground'?: string };

export function hueStyle({ meeting }: CalendarEvent): HueStyle {
  const hue = meeting ? HUES[meeting.type] : undefined;
  if (hue === undefined) return {};
  return {
    '--event-bar': `hsl(${hue} var(--event-bar-tone))`,
    '--event-ground': `hsl(${hue} var(--event-ground-tone))`,
  };
}

export type Tone = 'default' | 'pending' | 'tentative' | 'declined' | 'past' | 'busy';

export function getTone({ meeting }: CalendarEvent): Tone {
  if (!meeting) return 'busy';
  if (meeting.response === 'declined') return 'declined';
  if (meeting.isPast) return 'past';
  return meeting.response === 'tentative' ? 'tentative' : meeting.response === 'pending' ? 'pending' : 'default';
}

const toneStyles: Record<Tone, ReturnType<typeof css>> = {
  default: css`
    --bar: var(--event-bar, ${theme.color.accent});
    background: var(--event-ground, ${theme.color.accentSoft});
  `,
  pending: css`
    --bar: transparent;
    outline: 1px dashed ${theme.color.accent};
    outline-offset: -1px;
    background: ${theme.color.surface};
  `,
  tentative: css`
    --bar: ${theme.color.warning};
    background: ${theme.color.warningSoft};
  `,
  declined: css`
    --bar: transparent;
    outline: 1px solid ${theme.color.line};
    outline-offset: -1px;
    background: ${theme.color.surface};
    color: ${theme.color.text2};
    b {
      text-decoration: line-through;
    }
  `,
  past: css`
    --bar: ${theme.color.lineStrong};
    background: ${theme.color.sunken};
    color: ${theme.color.text2};
  `,
  busy: css`
    --bar: ${theme.color.lineStrong};
    background: repeating-linear-gradient(135deg, ${theme.color.sunken} 0 6px, ${theme.color.surface} 6px 12px);
    color: ${theme.color.text2};
  `,
};

export const eventStyles = css<{ $tone: Tone }>`
  border: 0;
  border-radius: ${theme.radius.sm};
  color: ${theme.color.text};
  font: ${theme.text.xs};
  text-align: start;
  cursor: pointer;
  ${({ $tone }) => toneStyles[$tone]}
  overflow: hidden;
  &::before {
    content: '';
    position: absolute;
    inset: 0 auto 0 0;
    width: 3px;
    background: var(--bar);
  }
  &:hover {
    filter: brightness(0.97);
  }
  &:focus-visible {
    outline: 2px solid ${theme.color.accent};
    outline-offset: 1px;
    z-index: 3;
  }
  b {
    font-weight: 500;
  }
`;
